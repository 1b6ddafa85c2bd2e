"""What a language model is asked about doubtful lines, and its strict answer. Pure: document text goes in as JSON strings only."""

import json
import re
from collections.abc import Sequence
from typing import Any

from es_mappings.tokens import count_tokens
from ingest.chat import Message
from ingest.doubts import DEEPEST, DoubtfulLine
from ingest.prompting import fill, read_prompt

TEMPLATE = "heading_levels"
MOST_LINES = 40  # lines in one call: an answer of this length is still kept in order by small models
ANSWER_TOKENS_A_LINE = 16
_FRAME_TOKENS = 128
_CUT = 160  # characters of a text that are shown
_ABOVE = 4  # open headings that are shown, the nearest ones
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\s*\Z", re.DOTALL)


def batches(lines: Sequence[DoubtfulLine], window: int) -> list[list[DoubtfulLine]]:
    """The lines in groups of neighbours whose question and answer fit a window of so many tokens (o200k)."""
    room = window - count_tokens(read_prompt(TEMPLATE)) - _FRAME_TOKENS
    groups: list[list[DoubtfulLine]] = []
    used = 0
    for line in lines:
        cost = count_tokens(_row(MOST_LINES, line)) + ANSWER_TOKENS_A_LINE + 1
        if not groups or len(groups[-1]) == MOST_LINES or used + cost > room:
            groups.append([])
            used = 0
        groups[-1].append(line)
        used += cost
    return groups


def question(lines: Sequence[DoubtfulLine]) -> tuple[Message, ...]:
    """The one message of a call; lines are numbered from 1."""
    rows = "\n".join(_row(number, line) for number, line in enumerate(lines, 1))
    return (Message(role="user", content=fill(read_prompt(TEMPLATE), {"LINES": rows})),)


def _row(number: int, line: DoubtfulLine) -> str:
    values = {
        "n": number,
        "line": _shortened(line.text),
        "size": line.doubt.size,
        "look": list(line.doubt.look),
        "page": line.page,
        "guess": line.doubt.probability,
        "above": [{"level": level, "heading": _shortened(text)} for level, text in line.above[-_ABOVE:]],
        "before": line.before[-_CUT:],
        "after": _shortened(line.after),
    }
    return json.dumps(values, ensure_ascii=False)


def _shortened(text: str) -> str:
    return text if len(text) <= _CUT else text[:_CUT] + "…"


def parse_levels(text: str, asked: int) -> dict[int, int]:
    """The level by number of a line in 1..`asked`; lines may be missing. ValueError when the reply has any other shape."""
    fenced = _FENCE.match(text.strip())
    try:
        value = json.loads(fenced[1] if fenced else text)
    except RecursionError:
        raise ValueError("the reply is nested too deeply") from None
    if not isinstance(value, dict) or set(value) != {"levels"} or not isinstance(value["levels"], list):
        raise ValueError("the reply is not an object of levels")
    found: dict[int, int] = {}
    for row in value["levels"]:
        number, level = _pair(row)
        if not 1 <= number <= asked or not 0 <= level <= DEEPEST or number in found:
            raise ValueError("a number or level is out of range")
        found[number] = level
    return found


def _pair(row: Any) -> tuple[int, int]:
    if not isinstance(row, dict) or set(row) != {"n", "level"} or type(row["n"]) is not int or type(row["level"]) is not int:
        raise ValueError("a row is not a number with a level")
    return row["n"], row["level"]
