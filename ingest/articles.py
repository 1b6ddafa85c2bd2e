"""Articles of laws and contracts: paragraphs that begin "第十二条", "Article 12", "§ 4" and count through are sections of their own. Pure.

Their numbers are what people cite, yet few documents mark them as headings. One alone may be a sentence about an article ("Section 5 of
the Act says"), so only runs count: three at least, one number after the other, with text between or behind them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.blocks import Block
from ingest.headings import split_heading
from ingest.numbering import Printed, printed_number

FAMILIES = frozenset({"条", "article", "§", "section", "clause"})
FEWEST = 3
_ORDERLY = 0.9
_CONFIDENCE = 0.9
_LONGEST_TITLE = 80
_EMPHASIS = re.compile(r"[*_]{0,3}")
# "【立法目的】" and "(Definitions)" directly behind the number are its title.
_BRACKETED = re.compile(r"[ \t　]*(?:【[^】]{1,30}】|〔[^〕]{1,30}〕|（[^）]{1,30}）|\([A-Z][^)]{1,40}\))")
# "Section 1.01 Board of Directors. The business ..." has a title, whose words are capital but for the small ones.
_TITLE = re.compile(
    r"[ \t]*[.:–—-]*[ \t]*(?P<title>[A-Z][\w’'-]*(?:,?[ \t]+(?:(?:and|of|the|to|for|in|or|by|on|with|from|an?)[ \t]+)*[A-Z][\w’'-]*){0,9})"
    r"(?:\.[—–-]?|:)(?=\s+[A-Z\"“(])"
)
_SENTENCE = re.compile(r"[.。；;:：,，、][\"'”’)\]」』）]*$|[，。；]|[.;:]\s")
_STROKES = " \t　.．:：—–-、"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Article:
    """A paragraph that may be one: where its number stands, its family and value, and how many characters are its heading."""

    place: int
    printed: Printed
    end: int


def with_articles(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with their articles as headings below the headings that stand above them; unchanged where some are headings already."""
    headings = [text for block in blocks if block.kind == "heading" for text in (block.number, block.text) if text]
    stated = {found.family for text in headings if (found := printed_number(text))}
    families: dict[str, list[_Article]] = defaultdict(list)
    for place, block in enumerate(blocks):
        if block.kind == "paragraph" and not block.detached and (article := _article(place, block.text)):
            families[article.printed.family].append(article)
    kept = {a.place: a for family, articles in families.items() if family not in stated and _counts(articles, blocks) for a in articles}
    return tuple(_parted(blocks, kept)) if kept else tuple(blocks)


def is_article(text: str) -> bool:
    """Whether a text begins with the number of an article."""
    printed = printed_number(text.strip())
    return printed is not None and printed.family in FAMILIES


def _article(place: int, text: str) -> _Article | None:
    start = _EMPHASIS.match(text[:4])
    offset = start.end() if start else 0
    printed = printed_number(text[offset : offset + 200])
    if printed is None or printed.family not in FAMILIES:
        return None
    end = offset + printed.end
    title = _BRACKETED.match(text, end)
    end = title.end() if title else end
    end += len(text[end:]) - len(text[end:].lstrip("*_"))
    rest = text[end:]
    bare = rest.lstrip(_STROKES).rstrip()
    if not bare:
        return _Article(place=place, printed=printed, end=len(text))
    if rest[0] not in _STROKES and not title:
        return None
    if bare[0].islower() or (rest[0] in " \t" and rest.lstrip()[:1] in ",，、"):
        return None
    if len(bare) <= _LONGEST_TITLE and "\n" not in bare and not _SENTENCE.search(bare):
        return _Article(place=place, printed=printed, end=len(text))
    titled = _TITLE.match(text, end)
    return _Article(place=place, printed=printed, end=titled.end("title") + 1 if titled else end + (rest[0] in ".．:："))


def _counts(articles: Sequence[_Article], blocks: Sequence[Block]) -> bool:
    """Whether they count through, and are no list of contents."""
    values = [article.printed.values for article in articles]
    if len(set(values)) < FEWEST:
        return False
    steps = sum(_follows(one, two, blocks) for one, two in pairwise(articles))
    bare = sum(one.end == len(blocks[one.place].text) and two.place == one.place + 1 for one, two in pairwise(articles))
    return steps >= _ORDERLY * (len(articles) - 1) and bare * 2 < len(articles)


def _follows(one: _Article, two: _Article, blocks: Sequence[Block]) -> bool:
    """The next number, the same with a supplement ("第一百二十条之一"), the first of a new run, or a later one below another heading."""
    before, after = one.printed.values[-1], two.printed.values[-1]
    return after in (before, before + 1, 1) or (
        after > before and any(block.kind == "heading" for block in blocks[one.place + 1 : two.place])
    )


def _parted(blocks: Sequence[Block], found: dict[int, _Article]) -> Iterator[Block]:
    level = 0
    for place, block in enumerate(blocks):
        level = block.level if block.kind == "heading" else level
        article = found.get(place)
        if article is None:
            yield block
            continue
        run_in = 0 if article.end == len(block.text) else article.end
        shape = replace(block, number=article.printed.number, source="numbering", confidence=_CONFIDENCE)
        for part in split_heading(shape, level=level + 1, run_in=run_in):
            yield replace(part, text=part.text.strip("*_ ")) if part.kind == "heading" else part
