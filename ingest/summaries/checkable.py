"""Which sentences stand out among others by what can be checked in them: a number, a name, a denial, an exception. Pure.

A text that seldom gives figures means something by those that it gives; in a report full of them they tell nothing apart. So a kind
counts where at most the square root of the number of sentences hold it: half the way, in logarithms, from one sentence to all (the
scale of the inverse document frequency, Spärck Jones 1972).
"""

from collections import Counter
from collections.abc import Sequence

from ingest.claims.figures import figures
from ingest.claims.names import inner_names, names
from ingest.claims.polarity import clauses, denies, excepts

# So few say nothing about what is rare.
LEAST_SENTENCES = 4


def outstanding(sentences: Sequence[str]) -> frozenset[int]:
    """The places of the sentences that hold something checkable of a kind that is rare among them."""
    if len(sentences) < LEAST_SENTENCES:
        return frozenset()
    known = frozenset(word for sentence in sentences for word in inner_names(sentence))
    kinds = [_kinds(sentence, known) for sentence in sentences]
    frequency = Counter(kind for found in kinds for kind in found)
    rare = {kind for kind, count in frequency.items() if count * count <= len(sentences)}
    return frozenset(place for place, found in enumerate(kinds) if found & rare)


def _kinds(sentence: str, known: frozenset[str]) -> frozenset[str]:
    found = {
        "number": bool(figures(sentence)),
        "name": bool(names(sentence, known)),
        "exception": excepts(sentence),
        "negation": any(denies(clause) for clause in clauses(sentence)),
    }
    return frozenset(kind for kind, holds in found.items() if holds)
