"""Shared by the tests of readers: reading in this process, and readings as plain rows."""

from pathlib import Path

import pytest

from ingest.blocks import Reading
from ingest.formats import ReadOptions, choose_reader, take_sample

SHARED = Path(__file__).parents[1].parent / "shared" / "data"


def read(path: Path, without: str = "") -> Reading:
    """Read a file or folder here, as the reader's process would."""
    options = ReadOptions(without=frozenset(without.split(",")) - {""})
    return choose_reader(take_sample(path, 100_000_000)).read(path, options)


def read_text(folder: Path, name: str, text: str, without: str = "") -> Reading:
    """Write `text` to a file of that name and read it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(path, without)


def headings(reading: Reading) -> list[tuple[int, str]]:
    """(level, text) of every heading in order."""
    return [(block.level, block.text) for block in reading.blocks if block.kind == "heading"]


def bodies(reading: Reading) -> list[tuple[str, str]]:
    """(kind, text) of everything that is no heading, in order."""
    return [(block.kind, block.text) for block in reading.blocks if block.kind != "heading"]


def shared(name: str) -> Path:
    """A file of the shared data; the test is skipped where it is missing."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the shared data has no {name} here")
    return path
