"""What is made from several documents of a collection: its overview and its themes, each kept as a document of its own.

They are no documents that anybody put in, so lists leave them out. Their nodes carry the conjunction of the rules of all
that they were made from. When one of those documents goes, or is given other readers, they go with it at once and are made
again; when its text changes they only grow old.
"""

from typing import Any, Literal

from es_mappings.sections import joined_hash

DerivedKind = Literal["overview", "themes"]
KINDS: tuple[DerivedKind, ...] = ("overview", "themes")
NOT_DERIVED: dict[str, Any] = {"bool": {"must_not": [{"terms": {"format": list(KINDS)}}]}}


def derived_id(collection: str, kind: DerivedKind) -> str:
    """The id of a collection's overview or themes; no source name gives it to a document."""
    return joined_hash("derived", kind, collection)[:32]


def is_derived(format_: str) -> bool:
    """Whether a manifest of this format is no document that somebody put in."""
    return format_ in KINDS
