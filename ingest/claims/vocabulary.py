"""The word lists of `words.toml`, read once."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(resources.files("ingest").joinpath("claims", "words.toml").read_text("utf-8"))


def word_list(name: str) -> tuple[str, ...]:
    """The words of one list."""
    return tuple(word.replace("_", " ") for word in _lists()[name].split())


def characters(name: str) -> frozenset[str]:
    """The characters of one list."""
    return frozenset(_lists()[name])


def spellings(table: str) -> dict[str, str]:
    """From each spelling in a table to the name it stands under."""
    return {spelling.replace("_", " "): name for name, words in _lists()[table].items() for spelling in words.split()}


def numbers(table: str) -> dict[str, int]:
    """A table of words and the numbers that they mean."""
    return dict(_lists()[table])
