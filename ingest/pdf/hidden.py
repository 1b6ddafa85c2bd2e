"""Text that a PDF holds but does not show: unpainted (render mode 3) or white. OCR puts unpainted text over a scan: that one is kept."""

from collections.abc import Sequence
from typing import Any

from ingest.pdf.values import Fragment

Box = tuple[float, float, float, float]

_SCAN_SHARE = 0.5  # of the page that pictures cover when its unpainted text is the text of a scan


def visible(page: Any, suspects: Sequence[Fragment], grounds: Sequence[tuple[float, float, float, float, int]]) -> list[Fragment]:
    """Those of the unpainted or white fragments of a pymupdf page that a reader sees, or sees as a picture."""
    pictures = [info["bbox"] for info in page.get_image_info()]
    covered = sum(max(0.0, x1 - x0) * max(0.0, y1 - y0) for x0, y0, x1, y1 in pictures)
    if covered >= _SCAN_SHARE * page.rect.width * page.rect.height:
        return list(suspects)
    boxes = [*pictures, *((x0, y0, x1, y1) for x0, y0, x1, y1, color in grounds if not is_white(color))]
    return [f for f in suspects if is_white(f.style.color) and _has_ground(f, boxes)]


def is_white(color: int) -> bool:
    """Whether 0xRRGGBB is white or nearly so."""
    return color >= 0xF0F0F0 and min(color >> 16, color >> 8 & 0xFF, color & 0xFF) >= 0xF0


def _has_ground(fragment: Fragment, boxes: Sequence[Box]) -> bool:
    """Whether a picture or a coloured shape lies under white text."""
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return any(x0 - 1 <= x <= x1 + 1 and y0 - 1 <= y <= y1 + 1 for x0, y0, x1, y1 in boxes)
