"""Make the sample documents from the texts beside this file: python scripts/samples/make.py FOLDER [--all]

The English handbook becomes a Word document with real heading styles and automatic numbers, the Chinese one a PDF with
bookmarks, running heads and page numbers, and the emergency plan stays Markdown. With --all every text comes in all three
formats. Files that are newer than their text are left alone, so that a second ingest finds them unchanged.
"""

import shutil
import sys
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"
CHOSEN = {"operations-handbook": ".docx", "运营手册": ".pdf", "emergency-plan": ".md"}


def make(folder: Path, *, every_format: bool = False) -> list[Path]:
    """The sample files in `folder`, made where they are missing or older than their text."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, chosen in CHOSEN.items():
        source = TEXTS / f"{name}.md"
        for suffix in (".docx", ".pdf", ".md") if every_format else (chosen,):
            target = folder / f"{name}{suffix}"
            made.append(target)
            if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
                continue
            _write(source, target)
    return made


def _write(source: Path, target: Path) -> None:
    # Imported here: the libraries take seconds to load, and most runs find the files in place.
    if target.suffix == ".md":
        shutil.copyfile(source, target)
        return
    from source import parse

    if target.suffix == ".docx":
        from word import write_docx as write
    else:
        from pdf import write_pdf as write
    write(parse(source.read_text("utf-8")), target)


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]), every_format="--all" in sys.argv[2:]):
        print(path)
