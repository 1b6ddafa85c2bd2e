"""Token counts: one token is one of o200k_base everywhere in this project."""

import re
from functools import cache
from typing import Protocol, cast

_PART_CHARACTERS = 50_000
_LINE_START = re.compile(r"\n(?=\w)")


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@cache
def _encoding() -> _Encoding:
    import bpe_openai  # here: its tables take a third of a second, which commands that count nothing need not wait for

    return cast(_Encoding, bpe_openai.get_encoding("o200k_base"))


def count_tokens(text: str) -> int:
    """The number of o200k_base tokens in `text`; special tokens count as plain text.

    Exact, but for text of over 50,000 characters without a line end, where each cut may add a token: bpe-openai 0.1 refuses
    1,000,000 characters or 200,000 tokens at once, so long text is counted in parts, cut where a word begins a line (no token
    reaches across). 50,000 characters have at most 200,000 bytes and no more tokens than bytes.
    """
    encode = _encoding().encode_ordinary
    count = start = 0
    while len(text) - start > _PART_CHARACTERS:
        lines = [m.end() for m in _LINE_START.finditer(text, start + _PART_CHARACTERS // 2, start + _PART_CHARACTERS)]
        end = lines[-1] if lines else start + _PART_CHARACTERS
        count += len(encode(text[start:end]))
        start = end
    return count + len(encode(text[start:]))
