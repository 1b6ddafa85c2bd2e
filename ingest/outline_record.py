"""The outline as JSON: what `sectionary outline` prints and what is stored beside a document. Pure."""

from collections.abc import Sequence
from typing import Any

from es_mappings.sections import section_key, section_path
from ingest.outline import Outline


def outline_record(outline: Outline, doc_id: str, slug: str, tokens: Sequence[int], access: Sequence[str] | None = None) -> dict[str, Any]:
    """The contract's outline. `tokens` are those of each section's own text, its subsections not counted.

    `level` is from 1, `page` 1-based or None, `confidence` in 0..1. `tokens` of what stands before
    the first heading stand at the top. `access` adds each section's access key, which is stored and never shown.
    """
    sections = []
    for index, section in enumerate(outline.sections):
        if not index:
            continue
        row: dict[str, Any] = {
            "key": section_key(doc_id, section.ordinals),
            "level": section.level,
            "number": section.number,
            "title": section.title,
            "page": section.page,
            "source": section.source,
            "confidence": round(section.confidence, 3),
            "path": section_path(slug, section.headings),
            "tokens": tokens[index],
        }
        if access is not None:
            row["access"] = access[index]
        sections.append(row)
    return {
        "title": outline.title,
        "format": outline.format,
        "pages": outline.pages,
        "structure_source": outline.structure_source,
        "structure_confidence": structure_confidence(outline),
        "sections": sections,
        "warnings": list(outline.warnings),
        "tokens": tokens[0],
    }


def structure_confidence(outline: Outline) -> float:
    """The mean confidence of the headings in 0..1; 0 when there are none."""
    found = [section.confidence for section in outline.sections[1:]]
    return round(sum(found) / len(found), 3) if found else 0.0
