"""A mention of divisions in running text. Pure value."""

from dataclasses import dataclass
from typing import Literal

from es_mappings.label_numbers import NumberStyle

Relative = Literal["part", "chapter", "section", "article", "appendix", "previous", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMention:
    """Text[start:end] names divisions.

    `kind` is the kind of the innermost division, `labels` one label for each ("chapters 2 to 4" has three). `document` is the
    normalised title of the document it is said to be in ("section 4 of the Operations Manual"), "" for this one.
    `relative`: inside the current division of that kind ("section 2 of this chapter"), or its neighbour, and `labels` then hold
    the kind alone ("the next chapter"). `style` is how the first number is written.
    """

    start: int
    end: int
    kind: str
    labels: tuple[str, ...]
    document: str = ""
    relative: Relative | None = None
    style: NumberStyle = "digits"
