"""The anchors that GitHub and mdBook give headings, so that links written for them resolve. Pure."""

import re
from collections import Counter

_DROPPED = re.compile(r"[^\w\- ]")


def slug(heading: str) -> str:
    """Lower case, punctuation dropped, spaces as hyphens: "What Is `String`?" becomes "what-is-string"."""
    return _DROPPED.sub("", heading.strip().casefold()).replace(" ", "-")


class Slugs:
    """Anchors of one file: the second heading of the same words gets "-1", the third "-2"."""

    def __init__(self) -> None:
        self._seen = Counter[str]()

    def next(self, heading: str) -> str:
        """The anchor of the next heading in reading order."""
        plain = slug(heading)
        count = self._seen[plain]
        self._seen[plain] += 1
        return f"{plain}-{count}" if count else plain
