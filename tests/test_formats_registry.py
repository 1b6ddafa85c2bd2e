"""The folder of formats: every reader keeps the contract, and choosing one imports no parser."""

import subprocess
import sys
from pathlib import Path

import pytest
from read_documents import read_text

from es_mappings.errors import EmptyDocument
from ingest.formats import ReadOptions, Sample, readers
from ingest.sandbox import Limits, read_document

HEAVY = ("charset_normalizer", "docutils", "docx", "markdown_it", "numpy", "pydantic", "pymupdf")


def test_importing_every_reader_imports_no_parser() -> None:
    # Each reader's process imports the folder: what every document pays must stay small.
    program = f"import sys, ingest.reading_child, ingest.formats as f; f.readers(); print([m for m in {HEAVY} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.NAME)
def test_a_reader_keeps_the_contract(reader: object, tmp_path: Path) -> None:
    assert getattr(reader, "NAME", "").islower()
    suffixes = getattr(reader, "SUFFIXES", None)
    assert isinstance(suffixes, tuple)
    assert all(suffix.startswith(".") and suffix.islower() for suffix in suffixes)
    recognises = reader.recognises  # type: ignore[attr-defined]
    assert recognises(Sample(path=tmp_path / "a.xyz", suffix=".xyz", head=b"\x00\x01\x02 nothing known")) is False


def test_every_suffix_has_one_reader() -> None:
    suffixes = [suffix for reader in readers() for suffix in reader.SUFFIXES]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize(("name", "head"), [("README", "# Title\n\ntext\n"), ("LICENSE", "Some words\n\nand more of them\n")])
def test_files_without_a_suffix_are_told_by_their_content(tmp_path: Path, name: str, head: str) -> None:
    assert read_text(tmp_path, name, head).format == ("markdown" if name == "README" else "text")


@pytest.mark.parametrize(("name", "text"), [("a.md", "---\ntitle: T\n---\n"), ("a.md", "<!-- nothing -->\n"), ("a.rst", ".. a comment\n")])
def test_a_file_that_shows_nothing_is_empty(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(EmptyDocument):
        read_document(path, ReadOptions(), Limits())
