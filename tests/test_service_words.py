"""The page's words: both languages say the same things, nothing is said that is not in the tables, and the pure parts do what they say."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from page_browser import WEB, open_browser
from playwright.sync_api import Page

from es_mappings import errors
from ingest.blocks import StructureSource
from service.results import Reason
from service.routes.page import content_type

ENTRY = re.compile(r'^  (\w+): "(.*)",$', re.MULTILINE)
SOURCES = {path.name: path.read_text("utf-8") for path in WEB.glob("*.js")}


def table(language: str) -> dict[str, str]:
    return dict(ENTRY.findall("\n".join(SOURCES[f"words{part}-{language}.js"] for part in ("", "-answers"))))


def slots(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_both_languages_have_the_same_words_with_the_same_slots() -> None:
    en, zh = table("en"), table("zh")
    assert len(en) > 150
    assert {name for name in zh if not name.startswith("error_")} == {name for name in en if not name.startswith("error_")}
    assert {name: slots(zh[name]) ^ slots(text) for name, text in en.items() if name in zh and slots(zh[name]) != slots(text)} == {}


def test_every_word_that_is_asked_for_is_there() -> None:
    asked = {name for source in SOURCES.values() for name in re.findall(r'\bt\("(\w+[^_"])"', source)}
    page = (WEB / "index.html").read_text("utf-8")
    asked |= set(re.findall(r'data-(?:word|label|title)="(\w+)"', page))
    assert asked - set(table("en")) == set()


def test_every_word_in_the_tables_is_used() -> None:
    everything = "\n".join(source for name, source in SOURCES.items() if not name.startswith("words-")) + (WEB / "index.html").read_text(
        "utf-8"
    )
    families = tuple(re.findall(r'"(\w+_)" \+', everything))
    unused = [name for name in table("en") if not re.search(rf"\b{name}\b", everything) and not name.startswith(families)]
    assert unused == []


def test_what_the_service_can_say_has_words() -> None:
    en, zh = table("en"), table("zh")
    for reason in get_args(Reason):
        assert f"reason_{reason}" in en
        assert f"advice_{reason}" in en
    for source in get_args(StructureSource):
        assert f"source_{source}" in en
        assert f"explain_{source}" in en
    kinds = [errors.SectionaryError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    untold = {kind.code for kind in kinds if f"error_{kind.code}" not in zh}
    assert untold <= {
        "settings",
        "bad_request",
        "revision_conflict",
        "unreadable",
        "index_refused",
        "write_rejected",
        "node_port_taken",
        "node_memory_short",
        "node_download_failed",
    }


def test_every_file_of_the_page_is_small_and_loads_nothing_from_elsewhere() -> None:
    for path in WEB.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            text = path.read_text("utf-8")
            assert len(text.splitlines()) <= 300, path.name
            assert not re.findall(r"(?:src|href|from|url)\s*[=(]?\s*[\"'(]?https?:", text), path.name
            assert " style=" not in text, f"{path.name}: the policy forbids inline styles"
        assert content_type(path.name) != "application/octet-stream" or path.is_dir(), path.name


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page that can import the modules, served from their folder by the browser itself."""
    with open_browser() as browser:
        opened = browser.new_page()

        def serve(route: Any) -> None:
            name = route.request.url.rpartition("/")[2]
            file = WEB / name
            body = file.read_bytes() if name and file.is_file() else b"<!doctype html><html lang=en>"
            route.fulfill(body=body, content_type=content_type(name) if name else "text/html")

        opened.route("**/*", serve)
        opened.goto("http://page.test/")
        yield opened


def call(page: Page, module: str, function: str, *arguments: Any) -> Any:
    script = """([module, name, given]) => import("/" + module).then((loaded) => {
        const out = loaded[name](...given);
        return out instanceof Map ? [...out] : out;
    })"""
    return page.evaluate(script, [module, function, list(arguments)])


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("How long may a door stay open?", "A door may stay open long.", ["door", "stay", "open", "long"]),
        ("door", "Doors, indoors, doorway", ["Doors"]),
        ("报警之后多久确认", "收到报警后五分钟内确认。", ["报警", "确认"]),
        ("section 4.2", "Section 4 and 42", ["Section", "4"]),
        ("the of and", "the of and", []),
        ("<img>", "an <img> tag", ["img"]),
    ],
)
def test_the_words_of_a_query_are_marked(page: Page, query: str, text: str, found: list[str]) -> None:
    spans = call(page, "marks.js", "spans", text, call(page, "marks.js", "terms", query))
    assert [text[start:end] for start, end in spans] == found


def test_an_excerpt_shows_where_the_words_are(page: Page) -> None:
    text = "Filler sentence here. " * 40 + "The needle is sharp. " + "More filler here. " * 40
    part = call(page, "marks.js", "excerpt", text, call(page, "marks.js", "terms", "sharp needle"))
    assert "needle is sharp" in part["text"]
    assert (part["before"], part["after"]) == (True, True)
    assert len(part["text"]) < 420


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ten days [1].", ["Ten days ", {"n": 1}, "."]),
        ("十天[1][2]。", ["十天", {"n": 1}, {"n": 2}, "。"]),
        ("Both [1, 3]", ["Both ", {"n": 1}, {"n": 3}]),
        ("a [note] b[0x]", ["a [note] b[0x]"]),
    ],
)
def test_citation_markers_are_taken_out_of_the_text(page: Page, text: str, parts: list[Any]) -> None:
    assert call(page, "answer.js", "pieces", text) == parts


def test_an_event_is_read_as_the_service_frames_it(page: Page) -> None:
    assert call(page, "api.js", "parseEvent", "event: delta\ndata:  two\ndata: \ndata: lines") == {
        "event": "delta",
        "data": " two\n\nlines",
    }


def test_an_address_comes_back_as_it_was(page: Page) -> None:
    where = {"doc": "d1", "key": "d1/00003/00002", "passage": "n 1", "query": "what? 第三章 & 50%", "mode": "ask"}
    where |= {"documents": ["d1"], "only": ["d1/00003"], "without": ["d1/00004", "d1/00005"], "view": "summary"}
    where |= {"after": ["first & last?", "那第四章呢？"], "by": "traversal"}
    assert call(page, "route.js", "parse", call(page, "route.js", "address", where)) == where
    start = {**where, "key": "d1", "passage": None}
    assert call(page, "route.js", "parse", call(page, "route.js", "address", start)) == start


def test_blocks_of_a_passage_are_told_apart(page: Page) -> None:
    text = "One.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- x\n  more\n- y\n\n```\n| no table |\n```\n\n（一）不是列表"
    assert [block["kind"] for block in call(page, "prose.js", "blocks", text)] == ["text", "table", "list", "code", "text"]


def test_hits_are_counted_for_every_section_above_them(page: Page) -> None:
    hits = [{"section_key": "d/00001/00002"}, {"section_key": "d/00001"}, {"section_key": "d/00002"}]
    assert dict(call(page, "outline.js", "hitCounts", hits)) == {"d/00001": 2, "d/00001/00002": 1, "d/00002": 1}
