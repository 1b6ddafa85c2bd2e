"""How figures, question types and fates are called in the report, in English and Chinese. Pure."""

import re
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Words:
    """A label in both languages of the page."""

    en: str
    zh: str


TYPE_WORDS = {
    "all": Words("all questions", "全部问题"),
    "local": Words("local facts", "单处事实"),
    "cross_chapter": Words("across chapters", "跨章节"),
    "overview": Words("overviews", "概述"),
}
FATE_WORDS = {
    "found": Words("all evidence given to the answer", "证据全部提供给答案"),
    "part": Words("part of the evidence", "只有部分证据"),
    "missed": Words("evidence missed", "没有找到证据"),
    "refused": Words("refused, though answerable", "可答却拒答"),
    "rightly_refused": Words("rightly refused", "正确拒答"),
    "not_refused": Words("answered, though unanswerable", "不可答却作答"),
    "failed": Words("failed", "出错"),
}
GROUPS: tuple[tuple[Words, tuple[str, ...]], ...] = (
    (Words("Ranking", "排序"), ("hit@1", "hit@*", "recall@*", "mrr@*")),
    (Words("Within the token budget", "预算之内"), ("recall@*t", "packed_recall", "token_recall", "token_precision", "token_iou")),
    (Words("Answers", "答案"), ("answer_found", "answer_f1", "evidence_words", "citation_precision", "groundedness")),
    (Words("Saying that it is not there", "如实说没有"), ("abstention_precision", "abstention_recall", "false_refusals")),
)
_WORDS = {
    "packed_recall": Words("evidence given to the answer", "提供给答案的证据"),
    "token_recall": Words("quotes: token recall", "引文：词元召回率"),
    "token_precision": Words("quotes: token precision", "引文：词元精确率"),
    "token_iou": Words("quotes: token IoU", "引文：词元交并比"),
    "answer_found": Words("accepted answer said", "说出认可的答案"),
    "answer_f1": Words("answer words F1", "答案词 F1"),
    "evidence_words": Words("answer words in the evidence", "证据含答案词"),
    "citation_precision": Words("citations that hold evidence (precision)", "引用含证据（精确率）"),
    "groundedness": Words("sentences that their citations support", "句子有引用支持的比例"),
    "abstention_precision": Words("abstention precision", "拒答精确率"),
    "abstention_recall": Words("abstention recall", "拒答召回率"),
    "false_refusals": Words("false refusals (less is better)", "误拒（越小越好）"),
}
_AT = {
    "hit": Words("any evidence in the first {n}", "前 {n} 条含证据"),
    "recall": Words("recall in the first {n}", "前 {n} 条召回率"),
    "mrr": Words("mean reciprocal rank, first {n}", "前 {n} 条平均倒数排名"),
}
_NAME = re.compile(r"(?P<what>hit|recall|mrr)@(?P<n>\d+)(?P<tokens>t?)")


def words_of(name: str) -> Words:
    """What a figure is called; its own name when it is not one of ours."""
    at = _NAME.fullmatch(name)
    if at is None:
        return _WORDS.get(name, Words(name, name))
    number = f"{int(at['n']):,}"
    if at["what"] == "hit" and number == "1":
        return Words("evidence in the first hit", "首条即含证据")
    if at["tokens"]:
        return Words(f"recall of the ranking in {number} tokens", f"排序前 {number} 词元召回率")
    pattern = _AT[at["what"]]
    return Words(pattern.en.format(n=number), pattern.zh.format(n=number))


def both(words: Words) -> str:
    """A label as HTML in both languages, of which the page shows one."""
    return f'<span lang="en">{escape(words.en)}</span><span lang="zh">{escape(words.zh)}</span>'


def headlines(names: list[str]) -> list[tuple[Words, list[str]]]:
    """The groups of a report with their figures: of measures at several depths the deepest one, and hit@1."""
    groups = [(title, [name for pattern in patterns if (name := _deepest(pattern, names))]) for title, patterns in GROUPS]
    return [(title, list(dict.fromkeys(chosen))) for title, chosen in groups if chosen]


def at_depths(names: list[str], what: str, *, tokens: bool) -> list[tuple[int, str]]:
    """The depths (ranks, or tokens) at which something is measured, with the figures' names, least first."""
    found = [(at, name) for name in names if (at := _NAME.fullmatch(name))]
    return sorted((int(at["n"]), name) for at, name in found if at["what"] == what and bool(at["tokens"]) == tokens)


def _deepest(pattern: str, names: list[str]) -> str | None:
    what, is_series, tokens = pattern.partition("@*")
    if not is_series:
        return pattern if pattern in names else None
    depths = at_depths(names, what, tokens=bool(tokens))
    return depths[-1][1] if depths else None
