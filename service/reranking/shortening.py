"""Passages that are longer than a model reads keep their beginning and their end: headings and conclusions stand there. Pure."""

from collections.abc import Callable

GAP = " … "
# Share of what is kept that comes from the beginning.
HEAD_SHARE = 0.6


def shortened(text: str, limit: int, count: Callable[[str], int]) -> str:
    """The text, or its beginning and end with " … " between them, in at most `limit` by `count`; "" when not even that fits."""
    if count(text) <= limit:
        return text
    # The most characters that fit, found by halving: `count` need not be monotone to the last token for the result to fit.
    fits, too_many = 0, len(text)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if count(_ends(text, middle)) <= limit:
            fits = middle
        else:
            too_many = middle
    return _ends(text, fits) if fits else ""


def _ends(text: str, characters: int) -> str:
    head = round(characters * HEAD_SHARE)
    tail = characters - head
    return text[:head] + GAP + (text[-tail:] if tail else "")
