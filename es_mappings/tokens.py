"""Token counts: one token is one of o200k_base everywhere in this project."""

from functools import cache
from typing import Protocol, cast

import bpe_openai


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@cache
def _encoding() -> _Encoding:
    return cast(_Encoding, bpe_openai.get_encoding("o200k_base"))


def count_tokens(text: str) -> int:
    """The exact number of o200k_base tokens in `text`; special tokens count as plain text."""
    return len(_encoding().encode_ordinary(text))
