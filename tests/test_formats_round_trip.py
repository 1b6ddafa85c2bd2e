"""A document of any shape, written in every format, comes back with the same headings, and with every paragraph in its section once.

ROUND_TRIP_EXAMPLES sets how many documents are tried in each format (default 4).
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from document_writers import WRITERS, Part, as_docx_numbered, expected, outcome
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ingest.outline import repaired_levels

EXAMPLES = int(os.environ.get("ROUND_TRIP_EXAMPLES", "4"))
# Shrinking a document of pages takes minutes; the one that failed is small enough to read.
SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.reuse, Phase.generate]
)

WORDS = ["stone", "river", "cloud", "lamp", "quiet", "window", "harbour", "garden", "letter", "winter", "signal", "copper", "meadow"]
CHINESE = ["山川", "河流", "明月", "石桥", "灯塔", "花园", "书信", "冬季", "铜器", "港口", "窗户", "草地"]
ENGLISH_TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(lambda words: " ".join(words).capitalize())
CHINESE_TITLES = st.lists(st.sampled_from(CHINESE), min_size=1, max_size=3).map("".join)
TITLES = ENGLISH_TITLES | CHINESE_TITLES
ENGLISH_SENTENCES = st.lists(st.sampled_from(WORDS), min_size=14, max_size=40).map(lambda words: " ".join(words).capitalize() + ".")
CHINESE_SENTENCES = st.lists(st.sampled_from(CHINESE), min_size=14, max_size=40).map(lambda words: "".join(words) + "。")
SENTENCES = ENGLISH_SENTENCES | CHINESE_SENTENCES
CELLS = st.sampled_from([*WORDS, *CHINESE, "12", "3.4"])

Scheme = Callable[[Sequence[int]], str]
_CHINESE_DIGITS = "一二三四五六七八九"


def _plain(counts: Sequence[int]) -> str:
    return ""


def _decimal(counts: Sequence[int]) -> str:
    return ".".join(map(str, counts))


def _chapters(counts: Sequence[int]) -> str:
    return f"Chapter {counts[0]}" if len(counts) == 1 else _decimal(counts)


def _chinese(counts: Sequence[int]) -> str:
    last = _CHINESE_DIGITS[counts[-1] - 1]
    return (f"第{last}章", f"第{last}节", f"{last}、", f"（{last}）")[len(counts) - 1]


def _legal(counts: Sequence[int]) -> str:
    last = counts[-1]
    return (("I.", "II.", "III.", "IV.", "V.", "VI.", "VII.", "VIII.", "IX.")[last - 1], f"{chr(64 + last)}.", f"{last}.", f"({last})")[
        len(counts) - 1
    ]


# The schemes, and how Word is told to number so.
SCHEMES: dict[str, Scheme] = {"none": _plain, "decimal": _decimal, "chapters": _chapters, "chinese": _chinese, "legal": _legal}
AUTOMATIC: dict[str, Sequence[tuple[str, str]]] = {
    "decimal": [("decimal", "%1"), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3"), ("decimal", "%1.%2.%3.%4")],
    "chapters": [("decimal", "Chapter %1"), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3"), ("decimal", "%1.%2.%3.%4")],
    "chinese": [("chineseCounting", "第%1章"), ("chineseCounting", "第%2节"), ("chineseCounting", "%3、"), ("chineseCounting", "（%4）")],
    "legal": [("upperRoman", "%1."), ("upperLetter", "%2."), ("decimal", "%3."), ("decimal", "(%4)")],
}


@st.composite
def documents(draw: st.DrawFn, schemes: Sequence[str] = tuple(SCHEMES)) -> tuple[Part, ...]:
    """Two to nine headings on up to four levels, numbered by one scheme, each with paragraphs, perhaps a list and a table."""
    scheme = SCHEMES[draw(st.sampled_from(schemes))]
    titles = draw(st.lists(TITLES, min_size=2, max_size=9, unique_by=str.casefold))
    levels = repaired_levels(draw(st.lists(st.integers(1, 4), min_size=len(titles), max_size=len(titles))))
    return tuple(
        Part(
            level=level,
            title=title,
            number=number,
            paragraphs=tuple(draw(st.lists(SENTENCES, min_size=1, max_size=3))),
            items=tuple(draw(st.lists(TITLES, min_size=2, max_size=4) | st.just([]))),
            table=tuple(draw(st.lists(st.tuples(CELLS, CELLS), min_size=2, max_size=4) | st.just([]))),
        )
        for level, title, number in zip(levels, titles, _numbers(levels, scheme), strict=True)
    )


def _numbers(levels: Sequence[int], scheme: Scheme) -> Iterator[str]:
    counts: list[int] = []
    for level in levels:
        counts = [*counts[: level - 1], (counts[level - 1] if len(counts) >= level else 0) + 1]
        yield scheme(counts)


@pytest.mark.parametrize("name", WRITERS)
@SETTINGS
@given(parts=documents())
def test_a_document_comes_back_the_same_from_every_format(name: str, parts: tuple[Part, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert outcome(WRITERS[name](Path(folder), parts)) == expected(parts)


@pytest.mark.parametrize("scheme", AUTOMATIC)
@SETTINGS
@given(data=st.data())
def test_numbers_that_word_computes_are_those_that_others_type(scheme: str, data: st.DataObject) -> None:
    parts = data.draw(documents([scheme]))
    with tempfile.TemporaryDirectory() as folder:
        assert outcome(as_docx_numbered(Path(folder), parts, AUTOMATIC[scheme])) == expected(parts)
