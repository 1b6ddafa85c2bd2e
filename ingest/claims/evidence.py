"""Statements that can be searched by their words, figures and names. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ingest.claims.figures import Figure
from ingest.claims.statements import Statement

_NEIGHBOURS = 2


class Evidence:
    """Statements with an index of their words; words are weighed by how rare they are among them."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.statements = tuple(statements)
        self._places: dict[str, list[int]] = defaultdict(list)
        self._figures: dict[str, list[int]] = defaultdict(list)
        for index, statement in enumerate(self.statements):
            for term in statement.terms:
                self._places[term].append(index)
            for figure in statement.figures:
                self._figures[figure.value].append(index)
        count = max(1, len(self.statements))
        self._unknown = math.log(1 + count)
        self._rarity = {term: math.log(1 + count / len(places)) for term, places in self._places.items()}
        self._folded = [statement.text.casefold() for statement in self.statements]
        self._mentions: dict[str, frozenset[int]] = {}
        self._best: dict[frozenset[str], tuple[int, float] | None] = {}

    def weight(self, terms: Iterable[str]) -> float:
        """The summed rarity of words: log(1 + sentences / sentences with the word); an unknown word is as rare as can be."""
        return sum(self._rarity.get(term, self._unknown) for term in terms)

    def with_figure(self, figure: Figure) -> set[int]:
        """The statements that have a figure like this."""
        places = self._figures.get(figure.value, ())
        return {index for index in places if any(figure.like(given) for given in self.statements[index].figures)}

    def mentioning(self, name: str) -> frozenset[int]:
        """The statements that have this name."""
        if name not in self._mentions:
            self._mentions[name] = frozenset(index for index, text in enumerate(self._folded) if mentions(text, name))
        return self._mentions[name]

    def known_share(self, terms: frozenset[str]) -> float:
        """The weighted share of words that stand anywhere here; 1.0 for no words."""
        whole = self.weight(terms)
        return self.weight(term for term in terms if term in self._places) / whole if whole else 1.0

    def resembling(self, terms: frozenset[str]) -> dict[int, float]:
        """For each statement with a word in common: the weighted share of `terms` that stand in it, in 0..1."""
        shares: dict[int, float] = defaultdict(float)
        whole = self.weight(terms)
        for term in terms:
            share = self.weight((term,)) / whole
            for index in self._places.get(term, ()):
                shares[index] += share
        return shares

    def best(self, terms: frozenset[str]) -> tuple[int, float] | None:
        """The first statement that resembles words most, with its share; None when none has a word in common."""
        if terms not in self._best:
            shares = self.resembling(terms)
            index = max(shares, key=lambda i: (shares[i], -i), default=None)
            self._best[terms] = None if index is None else (index, shares[index])
        return self._best[terms]

    def share(self, terms: frozenset[str], index: int) -> float:
        """The weighted share of `terms` that stand in one statement, in 0..1."""
        whole = self.weight(terms)
        return self.weight(terms & self.statements[index].terms) / whole if whole else 0.0

    def sharing(self, terms: frozenset[str]) -> list[int]:
        """The statements with at least two of the words."""
        counts = Counter(index for term in terms for index in self._places.get(term, ()))
        return [index for index, count in counts.items() if count > 1]

    def likeness(self, first: frozenset[str], second: frozenset[str]) -> float:
        """Weighted words in common, of both sets' (the Dice coefficient), in 0..1; 0 for fewer than two in common."""
        both = self.weight(first) + self.weight(second)
        return 2 * self.weight(first & second) / both if both and len(first & second) > 1 else 0.0

    def overlap(self, first: frozenset[str], second: frozenset[str]) -> float:
        """Weighted words in common, of the smaller set's (the overlap coefficient), in 0..1."""
        smaller = min(self.weight(first), self.weight(second))
        return self.weight(first & second) / smaller if smaller and len(first & second) > 1 else 0.0

    def around(self, index: int) -> Iterator[int]:
        """The neighbours of a statement in the same section, itself among them."""
        section = self.statements[index].section
        for near in range(max(0, index - _NEIGHBOURS), min(len(self.statements), index + _NEIGHBOURS + 1)):
            if self.statements[near].section == section:
                yield near


def mentions(folded: str, name: str) -> bool:
    """Whether a text (folded by `casefold`) has a name, or every word of it, whatever its number."""
    plain = name.casefold()
    return plain in folded or all(word.strip(".,").rstrip("s") in folded for word in plain.split())
