"""Units in doubt as a language model may be told of them: how likely a heading, how set. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from ingest.blocks import Doubt
from ingest.pdf.evidence import DOUBT
from ingest.pdf.likelihood import is_centred, probability
from ingest.pdf.typography import Typography
from ingest.pdf.units import Unit

_SPACED = 1.35  # usual line pitches: a gap that a reader sees


def doubts_of(units: Sequence[Unit], scores: Mapping[int, float], typography: Typography) -> dict[int, Doubt]:
    """The doubts by unit index; `scores` are the log odds of all evidence together."""
    return {
        index: Doubt(
            probability=round(probability(odds), 3),
            size=round(units[index].look.size / typography.body.size, 2),
            look=tuple(_look(units[index], typography)),
        )
        for index, odds in scores.items()
        if abs(odds) <= DOUBT
    }


def _look(unit: Unit, typography: Typography) -> Iterator[str]:
    look, body = unit.look, typography.body
    marks = {
        "bold": look.bold and not body.bold,
        "italic": look.italic and not body.italic,
        "underlined": look.underlined,
        "capitals": look.case == "upper",
        "small capitals": look.case == "small",
        "coloured": look.color != body.color,
        "centred": is_centred(unit),
        "space above": unit.above >= _SPACED,
        "space below": unit.below >= _SPACED,
    }
    return (name for name, holds in marks.items() if holds)
