"""Where stroked lines really run: MuPDF's boxes of strokes are swollen by the width of the line times its mitre limit (5 to 160 points)."""

from collections.abc import Sequence
from typing import Any

from ingest.pdf.values import Rule

_SWOLLEN = 2.5  # points: a line whose box is higher (or wider) than this is swollen
_MOST_SWOLLEN = 24.0
_LONG = 60.0  # points: as long as a line of a table is
_FEWEST = 3


def true_rules(page: Any, rules: Sequence[Rule]) -> list[Rule]:
    """The rules of a pymupdf page; its drawings are read a second time where several long strokes are swollen, 1.3 ms a page."""
    swollen = sum(
        not rule.filled and _SWOLLEN < min(rule.x1 - rule.x0, rule.y1 - rule.y0) <= _MOST_SWOLLEN
        and max(rule.x1 - rule.x0, rule.y1 - rule.y0) >= _LONG
        for rule in rules
    )  # fmt: skip
    if swollen < _FEWEST or page.rotation:
        return list(rules)
    found = [rule for rule in rules if rule.filled]
    for drawing in page.get_cdrawings():
        if "s" not in drawing["type"]:
            continue
        color = _packed(drawing.get("color"))
        for kind, *points in drawing["items"]:
            if kind == "l":
                (x0, y0), (x1, y1) = points
            elif kind == "re":
                x0, y0, x1, y1 = points[0][:4]
            else:
                continue
            if kind == "re" or min(abs(x1 - x0), abs(y1 - y0)) <= 1:
                found.append(Rule(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), color, False))
    return found


def _packed(color: Sequence[float] | None) -> int:
    red, green, blue = (round(255 * part) for part in (color or (0.0, 0.0, 0.0)))
    return red << 16 | green << 8 | blue
