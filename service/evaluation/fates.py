"""What became of a question, in one word. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from service.models.evaluation import Outcome

Fate = Literal["found", "part", "missed", "refused", "rightly_refused", "not_refused", "failed"]
# Best first: the order of the bar; the list of questions is in the reverse order.
FATES: tuple[Fate, ...] = ("found", "rightly_refused", "part", "missed", "refused", "not_refused", "failed")


def fate(outcome: Outcome) -> Fate:
    """The fate of a question by what was given to its answer; of an unanswerable one by whether it was refused."""
    if outcome.error is not None:
        return "failed"
    if outcome.unanswerable:
        return "rightly_refused" if outcome.abstained else "not_refused"
    if outcome.abstained:
        return "refused"
    if all(outcome.packed):
        return "found"
    return "part" if any(outcome.packed) else "missed"


def counted(outcomes: Iterable[Outcome]) -> list[tuple[Fate, int]]:
    """How many questions have each fate, those that none has left out."""
    counts = Counter(map(fate, outcomes))
    return [(one, counts[one]) for one in FATES if counts[one]]
