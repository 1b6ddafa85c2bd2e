"""The properties of the file itself: title, author, dates and the like."""

from ingest.word.names import Element
from ingest.word.package import Package

_NAMES = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "language": "language",
    "created": "created",
    "modified": "modified",
    "lastModifiedBy": "last_modified_by",
    "version": "version",
}


def core_properties(package: Package) -> dict[str, str]:
    """The core properties (ECMA-376 part 2, 11) that are not empty, by our names; {} when the part is missing."""
    part = package.root_related("core-properties")
    if part is None:
        return {}
    found = {}
    for item in package.xml(part):
        name = _NAMES.get(_local_name(item))
        text = " ".join((item.text or "").split())
        if name and text:
            found[name] = text
    return found


def _local_name(item: Element) -> str:
    return item.tag.rpartition("}")[2] if isinstance(item.tag, str) else ""
