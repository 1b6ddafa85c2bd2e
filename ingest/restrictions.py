"""Single sections that fewer people may read: NAME.access.json beside a document, resolved on its outline.

    {"sections": {"chapter 3": ["hr"], "Salaries": ["hr", "board"], "4.2": ["legal"]}}

A section is named by label, number, heading, or ordinals ("00003/00002"). A member of any of its groups may read it, if the
document may be read as well; its subsections need the same. A name that fits no section fails the document, so that a
typing slip never opens what should be closed.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from es_mappings.access import Rule, conjunction, rule_for
from es_mappings.errors import MalformedDocument
from es_mappings.sections import section_key
from ingest.labelling import SectionLabels
from ingest.outline import Outline

ENDING = ".access.json"


def read_restrictions(path: Path) -> Mapping[str, Sequence[str]]:
    """The groups of each named section; {} when no such file lies beside the document. Raises MalformedDocument."""
    sidecar = path.with_name(path.name + ENDING)
    if not sidecar.is_file():
        return {}
    try:
        named = json.loads(sidecar.read_text("utf-8"))["sections"]
        valid = all(isinstance(g, list) and g and all(isinstance(x, str) and x.strip() for x in g) for g in named.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        valid = False
    if not valid:
        raise MalformedDocument(f'{sidecar.name} is not of the form {{"sections": {{"chapter 3": ["group"]}}}}: correct it and try again')
    return dict(named)


def section_rules(
    outline: Outline, labels: Sequence[SectionLabels], document: Rule, restrictions: Mapping[str, Sequence[str]]
) -> tuple[Rule, ...]:
    """The rule of each section of the outline, in order: the document's, and that of every restricted section it lies in.

    Raises MalformedDocument when a restriction names no section.
    """
    own: dict[int, list[Rule]] = {}
    for name, groups in restrictions.items():
        found = [index for index in range(1, len(outline.sections)) if _is_named(outline, labels, index, name)]
        if not found:
            raise MalformedDocument(f'the access file restricts "{name}", but no section is called so: correct it, nothing was stored')
        for index in found:
            own.setdefault(index, []).append(rule_for(groups))
    rules: list[Rule] = []
    for index, section in enumerate(outline.sections):
        above = document if section.parent is None else rules[section.parent]
        rules.append(conjunction([above, *own.get(index, [])]))
    return tuple(rules)


def _is_named(outline: Outline, labels: Sequence[SectionLabels], index: int, name: str) -> bool:
    section = outline.sections[index]
    wanted = name.strip().casefold()
    names = {section.title.casefold(), section.headings[-1].casefold(), section_key("", section.ordinals).strip("/"), *labels[index].own}
    return wanted in names or (section.number is not None and wanted == section.number.casefold())
