"""Prompts are plain text files in `prompts/` with slots like {{WORDS}}; what fills a slot is never read as a template again.

No template engine: text of documents goes in, and a template engine would run it (Haystack CVE-2024-41950 and kin).
"""

import re
from functools import cache
from importlib import resources

_SLOT = re.compile(r"\{\{([A-Z]+)\}\}")


@cache
def read_prompt(name: str) -> str:
    """The template in `ingest/prompts/NAME.txt`, without the last line end."""
    return resources.files("ingest").joinpath("prompts", f"{name}.txt").read_text("utf-8").rstrip("\n")


def fill(template: str, slots: dict[str, str]) -> str:
    """The template with every slot filled in one pass. Raises KeyError for a slot without a value."""
    return _SLOT.sub(lambda match: slots[match.group(1)], template)
