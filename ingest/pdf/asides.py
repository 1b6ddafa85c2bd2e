"""Footnotes and captions: text beside the running text, which is never a heading. Pure."""

import re
from collections.abc import Sequence

from ingest.pdf.typography import Typography
from ingest.pdf.units import Unit
from ingest.pdf.values import PageLines, Rule

_CAPTION = re.compile(
    r"^(?:fig(?:ure|\.)|table|tab\.|chart|exhibit|box|listing|algorithm|scheme|plate|map|diagram|photo|image|example(?=\s[\dA-Z.-]+:)|"
    r"abb(?:ildung|\.)|tabelle|figura|tabla|tabella|tableau|tabela|рис(?:унок|\.)|таблица|[图圖表例])\s*"
    r"(?P<count>[A-Z]{0,2}[.\-‑]?\d+(?:[.\-‑–:]\d+)*[a-z]?|[IVXLC]+|[A-Z](?=[.:]))(?P<end>\s*[.:：|—–-]|,\s|\s*\(|\s|\u3000|$)",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:\d{1,3}|[*†‡§¶∗]{1,3}|[①-⑳]|\[\d{1,3}\]|\(\d{1,2}\)|[a-z](?=\s))\s*")
_SMALL = 0.95  # times the body size: notes are smaller
_DEEP = 0.45  # share of the page's height below which notes stand


def is_caption(unit: Unit, typography: Typography) -> bool:
    """Whether the unit begins like "Figure 3:" and is set like a caption, not like a sentence that speaks of a figure."""
    match = _CAPTION.match(unit.text)
    if not match:
        return unit.first.tag == "Caption"
    if match["end"].strip(" ,(") or unit.first.tag == "Caption":
        return True
    look, body = unit.look, typography.body
    differs = look.size < _SMALL * body.size or look.bold != body.bold or look.italic != body.italic or look.case != ""
    first_style = unit.first.runs[0].style
    bold_label = first_style.bold and not body.bold
    return ((differs or bold_label or len(unit.text) == match.end()) and (len(unit.lines) <= 4)) or _continues_as_title(unit, match)


def _continues_as_title(unit: Unit, match: re.Match[str]) -> bool:
    rest = unit.text[match.end() :].lstrip()
    return len(unit.lines) <= 2 and rest[:1].isupper() and not rest.endswith(".") and unit.above > 1.2


def footnotes(pages: Sequence[PageLines], units: Sequence[Unit], typography: Typography) -> set[int]:
    """The indexes of units that are footnotes or go on with one from the page before."""
    by_column: dict[tuple[int, int], list[Unit]] = {}
    for unit in units:
        by_column.setdefault((unit.page, unit.first.column), []).append(unit)
    found: set[int] = set()
    for page in pages:
        columns = [members for (number, _), members in by_column.items() if number == page.number]
        for members in columns:
            found.update(_column_footnotes(page, members, typography))
    return found


def _column_footnotes(page: PageLines, members: Sequence[Unit], typography: Typography) -> list[int]:
    body = typography.body.size
    rule = _separator(page, members, body)
    notes: list[Unit] = []
    for unit in reversed(members):
        tagged = unit.first.tag in ("Note", "FENote")
        below_rule = rule is not None and unit.first.y0 >= rule.y0 - 2
        small = unit.look.size <= _SMALL * body and unit.first.y0 > _DEEP * page.height
        if not (tagged or below_rule or small):
            break
        notes.append(unit)
    if not notes:
        return []
    if rule is not None or notes[-1].first.tag == "Note":
        return [unit.index for unit in notes]
    # Without a rule the topmost note must begin with a mark; smaller text without one is a table's note or a quotation.
    while notes and not (_MARK.match(notes[-1].text) and _has_raised_mark(notes[-1])):
        notes.pop()
    return [unit.index for unit in notes]


def _has_raised_mark(unit: Unit) -> bool:
    first = unit.first.runs[0]
    return first.raised or first.style.size < 0.85 * unit.look.size or not first.text[:1].isalnum() or unit.text[:1].isdigit()


def _separator(page: PageLines, members: Sequence[Unit], body: float) -> Rule | None:
    """A short rule at the left of the column with only smaller text, or text that begins with a mark, below it."""
    left = min(unit.first.left for unit in members)
    right = max(unit.first.right for unit in members)
    for rule in sorted(page.rules, key=lambda r: -r.y0):
        if rule.y1 - rule.y0 > 2 or not 30 <= rule.x1 - rule.x0 <= 0.75 * page.width or rule.y0 < 0.3 * page.height:
            continue
        if abs(rule.x0 - left) > 0.06 * page.width or rule.x1 > right + 5:
            continue
        below = [unit for unit in members if unit.first.y0 >= rule.y0 - 3]
        above = [unit for unit in members if unit.first.y0 < rule.y0 - 3]
        if not below or any(unit.last.y1 > rule.y0 + 3 for unit in above):
            continue
        sizes = [unit.look.size for unit in below]
        reference = max((unit.look.size for unit in above), default=max(sizes))
        first = below[0].first.runs[0]
        raised = bool(_MARK.match(below[0].text)) and (first.raised or first.style.size < 0.85 * below[0].look.size)
        if max(sizes) <= reference and (raised or max(sizes) <= _SMALL * min(reference, body)):
            return rule
    return None
