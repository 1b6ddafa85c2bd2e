"""An evaluation as one HTML page that needs nothing else: styles and drawings are in it, no script comes from outside. Pure.

Both languages are in the page; the only script chooses between them (English where scripts do not run). Question and answer
texts are escaped: they come from files and documents.
"""

from html import escape
from importlib import resources

from service.evaluation.fates import counted
from service.evaluation.labels import FATE_WORDS, TYPE_WORDS, Words, at_depths, both, headlines, words_of
from service.evaluation.page_questions import questions_part
from service.evaluation.plots import Curve, Point, curves, stacked, whisker
from service.models.evaluation import Change, EvaluationReply, Figure

_SETTINGS = {
    "strategy": Words("strategy", "策略"),
    "reranker": Words("reranker", "重排"),
    "weights": Words("weights", "权重"),
    "budget": Words("budget, tokens", "预算（词元）"),
    "size": Words("hits", "条数"),
    "groups": Words("groups", "用户组"),
    "embedder": Words("embedder", "向量模型"),
    "model": Words("language model", "语言模型"),
    "collections": Words("collections", "文集"),
    "started": Words("started", "开始时间"),
}
_TILES = ("packed_recall", "hit@1", "groundedness", "citation_precision", "abstention_recall")


def page(report: EvaluationReply) -> str:
    """The page of a report."""
    files = resources.files("service.evaluation")
    style, script = files.joinpath("page.css").read_text("utf-8"), files.joinpath("page.js").read_text("utf-8")
    names = list(dict.fromkeys(figure.name for figure in report.figures))
    body = "".join(
        (_head(report), _tiles(report), _fates(report), _series(report, names), _all_figures(report, names), _comparison(report))
    )
    title = escape(report.file)
    return (
        '<!doctype html>\n<html lang="en" data-lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · Sectionary</title><style>{style}</style></head>"
        f"<body><main>{body}{questions_part(report.outcomes)}</main><script>{script}</script></body></html>\n"
    )


def _head(report: EvaluationReply) -> str:
    asked, questions = len(report.outcomes), report.questions
    told = Words(f"{asked:,} questions", f"{asked:,} 个问题")
    shown = [(words, report.settings.get(name)) for name, words in _SETTINGS.items()]
    chips = "".join(f"<div><dt>{both(words)}</dt><dd>{escape(str(value))}</dd></div>" for words, value in shown if value not in (None, ""))
    stopped = Words(f"Stopped after {asked:,} of {questions:,} questions.", f"在 {questions:,} 个问题中的第 {asked:,} 个之后停止。")
    note = "" if report.is_complete else f'<p class="stopped">{both(stopped)}</p>'
    kicker = f"{both(Words('Evaluation', '评测'))} · {both(told)}"
    return (
        f'<header><p class="kicker">{kicker}<button type="button" id="language" hidden></button></p>'
        f'<h1>{escape(report.file)}</h1>{note}<dl class="settings">{chips}</dl></header>'
    )


def _tiles(report: EvaluationReply) -> str:
    whole = {figure.name: figure for figure in report.figures if figure.type == "all"}
    tiles = "".join(
        f'<div class="tile"><dt>{both(words_of(name))}</dt><dd><strong>{_number(found.value)}</strong>'
        f"<small>{_interval(found.low, found.high)}</small></dd>{whisker(found.value, found.low, found.high, 'all')}</div>"
        for name in _TILES
        if (found := whole.get(name))
    )
    return f'<dl class="tiles">{tiles}</dl>' if tiles else ""


def _fates(report: EvaluationReply) -> str:
    types = ["all", *(type_ for type_ in TYPE_WORDS if any(outcome.type == type_ for outcome in report.outcomes))]
    rows = []
    for type_ in types if len(types) > 2 else types[:1]:
        counts = counted(outcome for outcome in report.outcomes if type_ in ("all", outcome.type))
        if counts:
            whole = sum(count for _, count in counts)
            rows.append(f'<div class="bar"><span>{both(TYPE_WORDS[type_])} <small>{whole:,}</small></span>{stacked(counts)}</div>')
    legend = "".join(f'<li><i class="{one}"></i>{both(FATE_WORDS[one])} <b>{count:,}</b></li>' for one, count in counted(report.outcomes))
    return _section(Words("What became of the questions", "问题的结果"), f'<ul class="legend">{legend}</ul>{"".join(rows)}')


def _series(report: EvaluationReply, names: list[str]) -> str:
    plots = []
    for tokens, title in (
        (False, Words("Recall by rank", "各名次的召回率")),
        (True, Words("Recall by tokens of the ranking", "排序前若干词元的召回率")),
    ):
        depths = at_depths(names, "recall", tokens=tokens)
        lines = [_curve(report, type_, depths) for type_ in reversed(TYPE_WORDS)]
        if len(depths) > 1:
            plots.append(f"<figure><figcaption>{both(title)}</figcaption>{curves([line for line in lines if line.points])}</figure>")
    types = [type_ for type_ in TYPE_WORDS if any(figure.type == type_ for figure in report.figures)]
    legend = "".join(f'<li><i class="{type_}"></i>{both(TYPE_WORDS[type_])}</li>' for type_ in types)
    band = both(Words("The band is the 95 % interval over all questions.", "色带为全部问题的 95% 区间。"))
    inner = f'<ul class="legend">{legend}</ul><div class="plots">{"".join(plots)}</div><p class="note">{band}</p>'
    return _section(Words("How deep the evidence lies", "证据有多深"), inner) if plots else ""


def _curve(report: EvaluationReply, type_: str, depths: list[tuple[int, str]]) -> Curve:
    figures = {figure.name: figure for figure in report.figures if figure.type == type_}
    points = tuple(Point(at=at, value=found.value, low=found.low, high=found.high) for at, name in depths if (found := figures.get(name)))
    return Curve(kind=type_, points=points, with_band=type_ == "all")


def _all_figures(report: EvaluationReply, names: list[str]) -> str:
    by_name: dict[str, list[Figure]] = {}
    for figure in report.figures:
        by_name.setdefault(figure.name, []).append(figure)
    groups = "".join(
        f"<h3>{both(title)}</h3>" + "".join(_figure_rows(name, by_name[name]) for name in group) for title, group in headlines(names)
    )
    note = both(
        Words(
            "Dots with 95 % intervals: percentile bootstrap over questions, seeded (exact where all questions agree). In brackets the "
            "number of questions that a figure concerns.",
            "圆点与 95% 区间：按问题自助重抽样（百分位法，固定种子；全部一致时用精确区间）。括号内为该指标涉及的问题数。",
        )
    )
    return _section(Words("All figures", "全部指标"), f'<p class="note">{note}</p>{groups}')


def _figure_rows(name: str, figures: list[Figure]) -> str:
    rows = "".join(
        f'<div class="row"><span class="type {figure.type}">{both(TYPE_WORDS[figure.type])}</span>'
        f"{whisker(figure.value, figure.low, figure.high, figure.type)}"
        f'<span class="value"><b>{_number(figure.value)}</b> {_interval(figure.low, figure.high)} '
        f"<small>({figure.questions:,})</small></span></div>"
        for figure in figures
    )
    return f'<div class="figure"><h4>{both(words_of(name))}</h4>{rows}</div>'


def _comparison(report: EvaluationReply) -> str:
    found = report.comparison
    if found is None:
        return ""
    whole = {change.name: change for change in found.changes if change.type == "all"}
    widest = max((abs(edge) for change in whole.values() for edge in (change.low, change.high)), default=0.0) or 1.0
    rows = "".join(_change_row(whole[name], widest) for _, group in headlines(list(whole)) for name in group)
    title = Words("Compared with another run", "与另一次评测比较")
    note = Words(
        f"This run less {found.other}, paired by question. Bold: the 95 % interval leaves out 0. "
        f"Not compared: {found.only_here} questions only here, {found.only_there} only there.",
        f"本次减去 {found.other}，按问题配对。加粗：95% 区间不含 0。"
        f"未比较：仅本次有 {found.only_here} 题，仅对方有 {found.only_there} 题。",
    )
    return _section(title, f'<p class="note">{both(note)}</p><div class="figure changes">{rows}</div>')


def _change_row(change: Change, widest: float) -> str:
    kind = "change clear" if change.is_clear else "change"
    drawing = whisker(change.value, change.low, change.high, kind, span=(-widest, widest), zero=True)
    return (
        f'<div class="row"><span class="type">{both(words_of(change.name))}</span>{drawing}<span class="value {kind}">'
        f"<b>{_signed(change.value)}</b> {_signed(change.low)} … {_signed(change.high)}</span></div>"
    )


def _section(title: Words, inner: str) -> str:
    return f"<section><h2>{both(title)}</h2>{inner}</section>"


def _number(value: float) -> str:
    return f"{value:.3f}"


def _signed(value: float) -> str:
    text = f"{value:+.3f}".replace("-", "−")
    return "0.000" if float(f"{value:.3f}") == 0 else text


def _interval(low: float, high: float) -> str:
    return f"{low:.2f}–{high:.2f}"
