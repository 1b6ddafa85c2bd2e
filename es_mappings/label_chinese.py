"""Chinese and Japanese mentions: 第三章, 第2至4章, 第二、三节, 3.2 节, 附录 A, 卷三, 本章第二节, 上一章. Pure."""

import re
from collections.abc import Iterator

from es_mappings.label_mention import LabelMention, Relative
from es_mappings.label_numbers import canonical_number, expand_range, make_label, number_style
from es_mappings.label_words import CHINESE_PREFIXES, CHINESE_UNITS, COUNTED_THINGS
from es_mappings.numerals import CHINESE_NUMERAL

_DECIMAL = r"[0-9０-９]{1,4}(?:[.．][0-9０-９]{1,4})*"
_NUMBER = rf"(?:{_DECIMAL}|{CHINESE_NUMERAL}{{1,8}}|[IVXLC]{{1,7}}|[\u2160-\u216b])"
_UNIT = "|".join(f"{unit}(?!{COUNTED_THINGS[unit]})" if unit in COUNTED_THINGS else unit for unit in CHINESE_UNITS)
_HEAD = re.compile(rf"第\s*(?P<number>{_NUMBER})\s*(?P<unit>{_UNIT})?")
_NEXT = re.compile(
    rf"\s*(?:(?P<range>至|到|~|～|-|–|—)|、|，|,|和|与|與|及|以及|或|跟|同)\s*(?P<again>第)?\s*(?P<number>{_NUMBER})\s*(?P<unit>{_UNIT})?"
)
_DOTTED = re.compile(
    r"(?<![\d.．])(?P<number>[0-9０-９]{1,3}(?:[.．][0-9０-９]{1,3}){1,5})\s*(?P<unit>小节|小節|章节|章節|节|節)(?!课|车厢|电池)"
)
_SEEN = re.compile(
    r"(?:参见|參見|详见|詳見|参阅|参考|另见|请见|见|見)\s*(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){1,5})(?![\d.]*\s*(?:版|倍|%|％|万|亿|元|图|表))"
)
_PREFIX = re.compile(
    rf"(?P<word>{'|'.join(CHINESE_PREFIXES)})\s*(?P<number>[A-Za-z](?:[.．]?\d{{1,3}})*|{_DECIMAL}|[IVX]{{1,5}}|{CHINESE_NUMERAL}{{1,3}}(?!览|些|并|起|定|样))"
    rf"(?![A-Za-z0-9])(?:\s*(?P<range>至|到|-|–|~|～)\s*(?P<last>[A-Z]|\d{{1,2}})(?![A-Za-z0-9]))?"
)
_VOLUME = re.compile(rf"(?:^|(?<=[^\u4e00-\u9fff第])|(?<=[见見在看于於]))卷\s*(?P<number>{CHINESE_NUMERAL}{{1,4}}|\d{{1,3}})")
# "前一部分代码" is a part of anything; only "在下一部分" is said of texts.
_NEIGHBOUR = re.compile(
    r"(?P<way>[上下前后後])(?:一个|一個|一|个|個)(?P<unit>章|小?[节節])(?!课|车厢|电池)"
    r"|(?<=[在于於见見到])(?P<way2>[上下前后後])(?:一个|一個|一|个|個)部分(?!代码|内容)"
)
# "报告的第一部分" is a part of what stands before it, unless that is a text.
_PART_OF = re.compile(r"(?:的|中)$")
_TEXT_BEFORE = re.compile(r"(?:本书|全书|本文|本手册|本报告|本章|该书|》)(?:的|中)$")
_OWN_DIVISION = re.compile(r"本(?P<unit>章|节|節|部分|篇|编|条|條|附录|附錄)\s*(?:的|中的|中|之)?\s*$")
_SMALLER = re.compile(rf"(?:第\s*{_NUMBER}\s*[款项項])+")
_LAW_BEFORE = re.compile(
    r"(?:法|条例|規定|规定|办法|规则|细则|准则|章程|协议|合同|公约|》|[见依据照按反及和与或、]|根据|违反|章|节|编)\s*(?:的|中|中的)?$"
)
_LAW_AFTER = re.compile(r"\s*(?:$|[。，,；;：:、）)》”]|第|规定|所|的|之规定|和|与|及|至|或|款|中|里|内|要求|内容|是|讲|说|对)")
_RELATIVES: dict[str, Relative] = {
    "章": "chapter",
    "节": "section",
    "節": "section",
    "部分": "part",
    "篇": "part",
    "编": "part",
    "条": "article",
    "條": "article",
    "附录": "appendix",
    "附錄": "appendix",
}


def chinese_mentions(text: str) -> Iterator[LabelMention]:
    """All mentions in Chinese, in no particular order."""
    if not any("\u4e00" <= character <= "\u9fff" for character in text):
        return
    yield from _counted(text)
    yield from _dotted(text)
    for match in _PREFIX.finditer(text):
        kind = CHINESE_PREFIXES[match["word"]]
        yield from _single(match, kind, canonical_number(match["number"].replace("．", "."), kind), match["last"])
    for match in _VOLUME.finditer(text):
        yield from _single(match, "volume", canonical_number(match["number"]))
    for match in _NEIGHBOUR.finditer(text):
        kind = CHINESE_UNITS[match["unit"]] if match["unit"] else "section"
        way: Relative = "previous" if (match["way"] or match["way2"]) in "上前" else "next"
        yield LabelMention(start=match.start(), end=match.end(), kind=kind, labels=(kind,), relative=way)


def _counted(text: str) -> Iterator[LabelMention]:
    end = 0
    for match in _HEAD.finditer(text):
        if match.start() < end:
            continue
        mention = _list_from(text, match)
        if mention is None:
            continue
        end = mention.end
        if mention.kind == "article" and not (
            _LAW_BEFORE.search(text[max(0, mention.start - 6) : mention.start]) or _LAW_AFTER.match(text, mention.end)
        ):
            continue
        before = text[max(0, mention.start - 6) : mention.start]
        if mention.kind == "part" and _PART_OF.search(before) and not _TEXT_BEFORE.search(before):
            continue
        yield mention


def _list_from(text: str, head: re.Match[str]) -> LabelMention | None:
    """The mention that begins at 第: its unit may stand after the first number, after each, or after the last."""
    first = canonical_number(head["number"])
    if first is None:
        return None
    numbers, unit, end = [first], head["unit"], head.end() if head["unit"] else 0
    waiting: list[str] = []
    position = head.end()
    while following := _NEXT.match(text, position):
        number = canonical_number(following["number"])
        has_unit = following["unit"] is not None
        if number is None or (unit and has_unit and following["unit"] != unit) or (unit and not has_unit):
            break
        if following["range"]:
            *kept, low = [*numbers, *waiting]
            numbers, waiting = [], [*kept, *expand_range(low, number)]
        else:
            waiting.append(number)
        position = following.end()
        if has_unit:
            unit, end = following["unit"], position
            numbers, waiting = [*numbers, *waiting], []
    if not unit:
        return None
    kind = CHINESE_UNITS[unit]
    if kind == "article" and (smaller := _SMALLER.match(text, end)):
        end = smaller.end()
    relative = _OWN_DIVISION.search(text[max(0, head.start() - 6) : head.start()])
    return LabelMention(
        start=head.start() - (len(relative.group()) if relative else 0),
        end=end,
        kind=kind,
        labels=tuple(dict.fromkeys(make_label(kind, number) for number in numbers)),
        relative=_RELATIVES[relative["unit"]] if relative else None,
        style=number_style(head["number"]),
    )


def _dotted(text: str) -> Iterator[LabelMention]:
    for pattern in (_DOTTED, _SEEN):
        for match in pattern.finditer(text):
            number = canonical_number(match["number"])
            if number and text[max(0, match.start() - 1) : match.start()] not in ("第", "至", "到", "-"):
                start = match.start("number")
                yield LabelMention(start=start, end=match.end(), kind="section", labels=(make_label("section", number),))


def _single(match: re.Match[str], kind: str, number: str | None, last: str | None = None) -> Iterator[LabelMention]:
    if number is None:
        return
    numbers = expand_range(number, canonical_number(last, kind) or last) if last else (number,)
    labels = tuple(make_label(kind, value) for value in numbers)
    yield LabelMention(start=match.start(), end=match.end(), kind=kind, labels=labels, style=number_style(match["number"]))
