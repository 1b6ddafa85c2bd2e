"""The sample texts come out of Word, PDF and Markdown with the headings they were written with."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.outline import build_outline

ROOT = Path(__file__).parents[1]
TEXTS = ROOT / "scripts/samples/texts"
NAMES = sorted(path.stem for path in TEXTS.glob("*.md"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, ROOT / "scripts/samples/make.py", made, "--all"], check=True, capture_output=True)
    return made


def written(name: str) -> list[str]:
    """The headings below the title as they stand in the text, number first."""
    lines = (TEXTS / f"{name}.md").read_text("utf-8").splitlines()
    return [re.sub(r"^#+ ", "", line) for line in lines if line.startswith("##")]


def read(path: Path) -> list[str]:
    """The headings of a file, number first, its title left out."""
    reading = choose_reader(take_sample(path, 10_000_000)).read(path, ReadOptions())
    outline = build_outline(reading, path.stem)
    headings = [section.headings[-1] for section in outline.sections[1:]]
    return [heading for heading in headings if heading != outline.title]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".docx", ".md"])
def test_a_sample_keeps_its_headings_and_numbers(folder: Path, name: str, suffix: str) -> None:
    assert read(folder / f"{name}{suffix}") == written(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_as_pdf_has_all_its_headings_in_order(folder: Path, name: str) -> None:
    found = iter(read(folder / f"{name}.pdf"))
    assert [heading for heading in written(name) if heading not in found] == []


def test_samples_that_are_there_are_not_made_again(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    subprocess.run([sys.executable, ROOT / "scripts/samples/make.py", folder], check=True, capture_output=True)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
