"""What a summary was made from, as a hash: equal hashes mean that making it again would ask the same. Pure.

The hash of a section grows from its own text, the hashes of its subsections, the prompts, the model and the limits (its
recipe), so a changed paragraph changes the hashes on the way up to the document and no other. Keys and chunk borders
are left out on purpose: moving a chapter, or cutting its text elsewhere, makes no summary stale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from es_mappings.sections import joined_hash

State = Literal["pending", "stale", "partial", "fresh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How summaries are made: whatever changes here makes all that cost a call stale. `prompts` are the templates' texts."""

    model: str
    prompts: tuple[str, ...]
    language: str
    method: str
    summary_tokens: int
    document_tokens: int

    @property
    def hash(self) -> str:
        """The recipe in one string."""
        sizes = (str(self.summary_tokens), str(self.document_tokens))
        return joined_hash("recipe", self.model, *self.prompts, self.language, self.method, *sizes)


def text_hash(text: str) -> str:
    """The hash of a text whatever its white space, because chunk borders and line ends only move that."""
    return joined_hash("text", "".join(text.split()))


def made_hash(how: str, title: str, own: str, children: Sequence[str]) -> str:
    """The hash of what is made from an own text and subsections. `how` is a recipe's hash with the role, or the role alone."""
    return joined_hash("made", how, title, own, *children)


def partial_hash(whole: str, failed: Iterable[str]) -> str:
    """The hash of a summary from which failed pieces are missing: never equal to the whole one, so the next run makes it again."""
    missing = sorted(failed)
    return joined_hash("partial", whole, *missing) if missing else whole


def state_of(has_text: bool, source_hash: str, coverage: dict[str, Any], recipe: str | None) -> State:
    """Whether a stored summary still says what its sources say.

    `coverage["wanted"]` is the hash that this revision asks for, `coverage["recipe"]` how the summary was made ("" when it
    cost no call); `recipe` is how it would be made now, None when that is not known. `partial`: made from this revision, but
    pieces are missing.
    """
    if not coverage.get("wanted") or not has_text:
        return "pending"
    if coverage.get("shown_is_older") or (recipe is not None and coverage.get("recipe", "") not in ("", recipe)):
        return "stale"
    return "fresh" if source_hash == coverage["wanted"] else "partial"
