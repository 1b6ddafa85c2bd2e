"""The document's own title: its property when the first pages print it or it reads like a title, else the largest text of page 1. Pure."""

import re
from collections.abc import Mapping, Sequence

from ingest.pdf.matching import squeeze
from ingest.pdf.typography import Typography
from ingest.pdf.units import Unit, joined_texts

_NOT_A_TITLE = re.compile(
    r"^(?:microsoft word\s*[-–]|untitled|slide \d|document\d*$|.*\.(?:docx?|pdf|dvi|tex|indd|qxd|pages|odt|rtf|ppt|pptx)\s*$)",
    re.IGNORECASE,
)
_LONGEST = 300


def document_title(metadata: Mapping[str, str], units: Sequence[Unit], typography: Typography) -> str:
    """The title, "" when there is none."""
    stated = " ".join(metadata.get("title", "").split())
    first = [unit for unit in units if unit.page <= 2]
    if stated and not _NOT_A_TITLE.match(stated) and len(stated) <= _LONGEST:
        printed = squeeze("".join(unit.text for unit in first))
        if squeeze(stated) and (squeeze(stated) in printed or len(stated.split()) > 1 or len(stated) > 3):
            return stated
    return _largest([unit for unit in units if unit.page == 1], typography)


def _largest(units: Sequence[Unit], typography: Typography) -> str:
    worded = [unit for unit in units if sum(c.isalpha() for c in unit.text) > 2]
    if not worded:
        return ""
    size = max(unit.look.size for unit in worded)
    if size <= 1.1 * typography.body.size:
        return ""
    text = ""
    before: Unit | None = None
    for unit in worded:
        if unit.look.size < size - 0.5:
            if before is not None:
                break
            continue
        if before is not None and unit.first.y0 - before.last.y1 > 2 * size:
            break
        text = joined_texts(text, unit.text)
        before = unit
    return text if len(text) <= _LONGEST else ""
