"""reStructuredText, one small document a rule; nothing outside the text is read."""

from pathlib import Path

import pytest
from read_documents import bodies, headings, read_text

from ingest.blocks import Link, Reading


def rst(folder: Path, text: str, without: str = "") -> Reading:
    return read_text(folder, "a.rst", text, without)


def test_levels_follow_the_order_of_underlines(tmp_path: Path) -> None:
    text = "####\nTop\n####\n\nA\n===\n\nB\n---\n\nC\n===\n\nText\n"
    assert headings(rst(tmp_path, text)) == [(1, "Top"), (2, "A"), (3, "B"), (2, "C")]
    assert {(block.source, block.confidence) for block in rst(tmp_path, text).blocks if block.level} == {("style", 1.0)}


def test_references_targets_and_roles_are_links_and_anchors(tmp_path: Path) -> None:
    text = (
        ".. _start:\n\nFirst part\n==========\n\nSee `Second part`_, :ref:`start`, :ref:`here <start>`, "
        ":func:`~os.path.join`, :doc:`guide`,\n`Python <https://python.org>`_ and Foo_.\n\n.. _Foo: https://foo.org\n\n"
        "Second part\n===========\n\nx\n"
    )
    blocks = rst(tmp_path, text).blocks
    assert blocks[1].text == "See Second part, start, here, join, guide, Python and Foo."
    assert blocks[1].links == (
        Link(text="Second part", target="#second-part"),
        Link(text="start", target="#start"),
        Link(text="here", target="#start"),
        Link(text="guide", target="guide.rst"),
        Link(text="Python", target="https://python.org"),
        Link(text="Foo", target="https://foo.org"),
    )
    assert blocks[0].anchors == ("start", "first-part")
    assert blocks[2].anchors == ("second-part",)


def test_lists_tables_code_quotes_and_notes_keep_their_shape(tmp_path: Path) -> None:
    text = (
        "* a\n* b\n\n  1. x\n  2. y\n\nterm\n  means\n\n====  ====\na     b\n====  ====\n1     2\n====  ====\n\n"
        "::\n\n    x = 1\n      y\n\n"
        "    said\n\n| line one\n| line two\n\nText [1]_ |sub|.\n\n.. |sub| replace:: word\n\n.. [1] A note.\n"
    )
    assert bodies(rst(tmp_path, text)) == [
        ("list", "- a\n- b\n  1. x\n  2. y"),
        ("list", "term\n  means"),
        ("table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("code", "x = 1\n  y\n\nsaid"),
        ("paragraph", "line one\nline two"),
        ("paragraph", "Text [1] word."),
        ("footnote", "[1] A note."),
    ]


def test_directives_of_other_tools_keep_their_text(tmp_path: Path) -> None:
    text = (
        ".. note:: Careful.\n\n.. code-block:: python\n   :linenos:\n\n   f(1)\n\n.. versionadded:: 1.2\n\n.. tabs::\n\n   In a *tab*.\n\n"
        ".. toctree::\n\n   a\n   b\n"
    )
    assert bodies(rst(tmp_path, text)) == [("quote", "Careful."), ("code", "f(1)"), ("paragraph", "1.2"), ("paragraph", "In a tab.")]


def test_no_file_is_included_and_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("CANARY")
    text = (
        f"A\n=\n\n.. include:: {secret}\n\n.. literalinclude:: {secret}\n\n.. csv-table::\n   :file: {secret}\n\n"
        f".. raw:: html\n   :file: {secret}\n\n"
        f".. raw:: html\n\n   <b>x</b>\n\n.. figure:: {secret}\n\n   Caption\n\n*broken `markup\n"
    )
    reading = rst(tmp_path, text)
    assert "CANARY" not in repr(reading)
    assert bodies(reading) == [("caption", "Caption"), ("paragraph", "*broken `markup")]
    assert capfd.readouterr() == ("", "")


def test_the_header_of_a_pep_is_metadata_and_an_alias(tmp_path: Path) -> None:
    reading = rst(tmp_path, "PEP: 9999\nTitle: Long\n  title\nAuthor: Me\n\nAbstract\n========\n\nx\n")
    assert (reading.title, reading.aliases, reading.metadata["author"]) == ("Long title", ("PEP 9999",), "Me")
    assert bodies(reading)[0] == ("list", "PEP: 9999\nTitle: Long title\nAuthor: Me")


def test_fields_at_the_top_are_metadata(tmp_path: Path) -> None:
    assert rst(tmp_path, "Title\n=====\n\n:Author: Me\n:Date: 2020\n\nText\n").metadata == {"author": "Me", "date": "2020"}


def test_underlines_can_be_ignored_to_measure_the_rest(tmp_path: Path) -> None:
    body = "This is running text, long enough to be nothing else than running text under its heading."
    reading = rst(tmp_path, f"1. One\n======\n\n{body}\n\n2. Two\n======\n\n{body}\n", without="styles")
    assert {(block.text, block.source) for block in reading.blocks if block.level} == {("1. One", "numbering"), ("2. Two", "numbering")}
