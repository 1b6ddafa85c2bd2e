"""A person's outline beside a document decides its headings, whatever was detected."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_documents import headings

from es_mappings.errors import MalformedDocument
from ingest.blocks import Block, Reading
from ingest.cleaning import clean_line
from ingest.corrections import Correction, apply_corrections, outline_text, parse_outline_text, read_corrections, write_corrections
from ingest.formats import ReadOptions
from ingest.sandbox import Limits, read_document


def reading(*blocks: Block) -> Reading:
    return Reading(title="", format="text", blocks=blocks)


def heading(level: int, text: str, number: str | None = None, page: int | None = None) -> Block:
    return Block(kind="heading", level=level, text=text, number=number, page=page, source="font", confidence=0.5)


def text(words: str) -> Block:
    return Block(kind="paragraph", text=words)


def test_exactly_the_corrected_headings_remain_and_are_manual() -> None:
    found = reading(heading(1, "A"), text("x"), heading(1, "Wrong"), text("Real one"), text("y"))
    corrected = apply_corrections(found, (Correction(title="A", level=1), Correction(title="real  ONE", level=2)))
    assert headings(corrected) == [(1, "A"), (2, "real  ONE")]
    assert {(block.source, block.confidence) for block in corrected.blocks if block.level} == {("manual", 1.0)}
    assert [block.text for block in corrected.blocks if not block.level] == ["x", "Wrong", "y"]
    assert corrected.warnings == ()


def test_a_heading_that_is_not_in_the_text_is_a_warning() -> None:
    corrected = apply_corrections(reading(text("A"), text("x")), (Correction(title="Nowhere"), Correction(title="A")))
    assert headings(corrected) == [(1, "A")]
    assert corrected.warnings == ("heading 1 of the correction was not found in the text after the one before it: check its words",)


def test_a_heading_inside_a_block_parts_it_and_no_character_is_lost() -> None:
    found = reading(text("before\nThe Heading\nafter"), text("Leases. We account for them."))
    corrected = apply_corrections(found, (Correction(title="The heading", level=1), Correction(title="Leases.", level=2)))
    assert [(block.level, block.text) for block in corrected.blocks] == [
        (0, "before"),
        (1, "The heading"),
        (0, "after"),
        (2, "Leases."),
        (0, "We account for them."),
    ]


def test_pages_tell_equal_titles_apart_and_levels_may_stay_as_found() -> None:
    found = reading(heading(2, "Notes", page=3), text("x"), heading(3, "Notes", page=9), text("y"))
    corrected = apply_corrections(found, (Correction(title="Notes", page=9),))
    assert headings(corrected) == [(3, "Notes")]


def test_numbers_are_given_kept_or_read() -> None:
    found = reading(heading(1, "Data", number="3.2"), heading(1, "4.1 More"), heading(1, "Other"))
    corrected = apply_corrections(found, (Correction(title="Data"), Correction(title="4.1 More"), Correction(title="Other", number="5")))
    assert [block.number for block in corrected.blocks] == ["3.2", "4.1", "5"]


def test_an_outline_to_edit_comes_back_as_it_went() -> None:
    found = reading(heading(1, "Box<T> & more"), heading(2, "Data", number="3.2", page=12), heading(12, "Deep", page=1))
    assert parse_outline_text(outline_text(found)) == (
        Correction(title="Box<T> & more", level=1),
        Correction(title="Data", level=2, number="3.2", page=12),
        Correction(title="Deep", level=12, page=1),
    )


@given(st.lists(st.tuples(st.integers(1, 12), st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)), max_size=8))
def test_any_outline_to_edit_comes_back_as_it_went(rows: list[tuple[int, str]]) -> None:
    rows = [(level, clean_line(title)) for level, title in rows]
    found = reading(*(heading(level, title) for level, title in rows))
    again = parse_outline_text(outline_text(found))
    assert headings(apply_corrections(found, again)) == rows


@pytest.mark.parametrize("name", ["a.txt.outline.json", "a.txt.headings.txt"])
def test_the_sidecar_beside_the_file_is_applied_in_the_readers_process(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Opening words\n\nsome text that follows them at length\n\nClosing words\n\nmore text of the same kind\n")
    json_form = json.dumps([{"level": 1, "title": "Opening words"}, {"level": 2, "title": "Closing words", "number": "7"}])
    (tmp_path / name).write_text(json_form if name.endswith("json") else "# Opening words\n## Closing words\n")
    found = read_document(path, ReadOptions(), Limits())
    assert headings(found) == [(1, "Opening words"), (2, "Closing words")]
    assert {block.source for block in found.blocks if block.level} == {"manual"}


def test_a_written_correction_is_read_back(tmp_path: Path) -> None:
    items = (Correction(title="A", level=1), Correction(title="第二章 方法", level=2, page=3, number="2"))
    write_corrections(tmp_path / "a.pdf", items)
    assert read_corrections(tmp_path / "a.pdf") == items
    assert read_corrections(tmp_path / "b.pdf") is None


@pytest.mark.parametrize(
    "content", ["{", '{"a": 1}', '[{"title": "A"}]', '[{"level": 0, "title": "A"}]', '[{"level": 1, "title": ""}]', "[1]", "5"]
)
def test_a_sidecar_out_of_shape_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.txt.outline.json").write_text(content)
    with pytest.raises(MalformedDocument):
        read_corrections(tmp_path / "a.txt")
