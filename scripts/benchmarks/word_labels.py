"""The Word labels against LibreOffice: `./scripts/bench word_labels` (needs soffice; it renders each file to a PDF with bookmarks).

The labels of tests/labels/docx were first made while looking at what we find. Here they are held against what another program shows: its
bookmarks, which have its own levels and numbers; or, where a file states no headings, the lines that it sets in the same type.
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

import pymupdf
from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _outlines import LABELS

from es_mappings.sections import heading_text
from ingest.outline import repaired_levels

_FILTER = 'pdf:writer_pdf_Export:{"ExportBookmarks":{"type":"boolean","value":"true"}}'
_NUMBER_SIZE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A heading as it is shown: its rank among the looks or levels of the file from 1, and its letters with those of its number."""

    level: int
    letters: str


def main() -> None:
    """Print how far labels and rendering agree, name what differs, and keep the table in docs/benchmarks.md."""
    options = arguments(__doc__ or "").parse_args()
    office = shutil.which("soffice")
    if office is None:
        print("left out: soffice (LibreOffice) is not installed")
        return
    rows: list[list[object]] = []
    for labels in sorted((LABELS / "docx").glob("*.json")):
        document = options.data / "docx" / labels.stem
        if document.exists():
            rows.append([labels.stem, *_compared(labels, document, office)])
    table = markdown(["Word labels", "labelled", "shown by LibreOffice", "told by", "the same: title, level, number"], rows)
    print(machine(), table, sep="\n")
    keep("word_labels", f"{machine()}\n\n{table}")


def _compared(labels: Path, document: Path, office: str) -> list[object]:
    kept = json.loads(labels.read_text())
    levels = repaired_levels([row["level"] for row in kept])
    labelled = [
        Shown(level=level, letters=_letters(heading_text(row["number"], row["title"]))) for level, row in zip(levels, kept, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        command = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", _FILTER, "--outdir", folder]
        subprocess.run([*command, str(document)], check=True, capture_output=True)
        with pymupdf.open(Path(folder) / f"{document.stem}.pdf") as pdf:
            marked = [(level, title) for level, title, *_ in pdf.get_toc() if title.strip()]
            shown = _bookmarked(marked) if marked else _by_type(pdf, labelled)
    pairs = list(zip_longest(labelled, shown))
    for one, other in pairs:
        if one != other:
            print(f"{labels.stem}: {one} / {other}")
    return [len(labelled), len(shown), "bookmarks" if marked else "type", sum(one == other for one, other in pairs)]


def _bookmarked(marked: Sequence[tuple[int, str]]) -> list[Shown]:
    levels = repaired_levels([level for level, _ in marked])
    return [Shown(level=level, letters=_letters(title)) for level, (_, title) in zip(levels, marked, strict=True)]


def _by_type(pdf: pymupdf.Document, labelled: Sequence[Shown]) -> list[Shown]:
    """All that is set in the type of a labelled heading, ranked by size; lines one below the other in one type are one heading."""
    lines = [line for page in pdf for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())]
    typed = [(_type(line), "".join(span["text"] for span in line["spans"])) for line in lines]
    runs = [(look, _letters(" ".join(text for _, text in run))) for look, run in groupby(typed, key=lambda line: line[0])]
    number = next((letters for (size, _), letters in runs if size > _NUMBER_SIZE), "")
    wanted = {heading.letters for heading in labelled} | {labelled[0].letters.removeprefix(number)}
    ranked = sorted({look for look, letters in runs if letters in wanted}, key=lambda look: (-look[0], len(look[1])))
    found = [Shown(level=ranked.index(look) + 1, letters=letters) for look, letters in runs if look in ranked and letters]
    return [Shown(level=1, letters=number + found[0].letters), *found[1:]] if found else []


def _type(line: dict[str, list[dict[str, object]]]) -> tuple[float, str]:
    longest = max(line["spans"], key=lambda span: len(str(span["text"])))
    return round(float(str(longest["size"])), 1), str(longest["font"])


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


if __name__ == "__main__":
    main()
