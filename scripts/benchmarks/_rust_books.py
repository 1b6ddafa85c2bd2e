"""The two Rust books as free labels across languages: where a chapter file has the same headings in both, section i is section i."""

import re
from dataclasses import dataclass
from pathlib import Path

from _answer_spans import Span

BOOKS = ("rust-book-en", "rust-book-zh")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+)$", re.MULTILINE)
_LISTED = re.compile(r"\]\(([^)#]+\.md)\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LEAST_SENTENCE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, how the text below it begins ("" for none), and where the section lies in the whole book."""

    title: str
    beginning: str
    start: int
    end: int


def cross_language(folder: Path) -> tuple[dict[str, str], list[tuple[str, Span]]]:
    """The books (name -> text of all files in order) and pairs of a question in one language and its section in the other."""
    books: dict[str, str] = {}
    sections: dict[str, dict[str, list[Section]]] = {}
    for name in BOOKS:
        books[name], sections[name] = _read(folder / name / "src")
    questions = []
    for file in sections[BOOKS[0]]:
        english, chinese = sections[BOOKS[0]][file], sections[BOOKS[1]].get(file, [])
        if len(english) != len(chinese):
            continue
        for pair in zip(english, chinese, strict=True):
            for asking, gold, book in ((pair[0], pair[1], BOOKS[1]), (pair[1], pair[0], BOOKS[0])):
                span = Span(source=book, start=gold.start, end=gold.end)
                questions += [(text, span) for text in (asking.title, asking.beginning) if text]
    return books, questions


def _read(folder: Path) -> tuple[str, dict[str, list[Section]]]:
    whole, sections = "", {}
    for file in dict.fromkeys(_LISTED.findall((folder / "SUMMARY.md").read_text("utf-8"))):
        text = (folder / file).read_text("utf-8")
        sections[file] = _sections(text, len(whole))
        whole += f"{text}\n\n"
    return whole, sections


def _sections(text: str, offset: int) -> list[Section]:
    plain = _FENCE.sub(lambda fence: " " * len(fence[0]), text)
    headings = list(_HEADING.finditer(plain))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return [
        Section(
            title=_bare(heading[2]),
            beginning=_first_sentence(plain[heading.end() : end]),
            start=offset + heading.start(),
            end=offset + end,
        )
        for heading, end in zip(headings, ends, strict=True)
    ]


def _first_sentence(text: str) -> str:
    plain = _bare(_COMMENT.sub(" ", text))
    found = re.search(r"[^。！？]{4,}?(?:[。！？]|[.!?](?=\s|$))", plain)
    sentence = found[0].strip() if found else ""
    return sentence if LEAST_SENTENCE <= len(sentence) <= 300 else ""


def _bare(text: str) -> str:
    """Without link targets and marks."""
    plain = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    return " ".join(re.sub(r"[`*_>{}]+|<[^>]+>", "", plain).split())
