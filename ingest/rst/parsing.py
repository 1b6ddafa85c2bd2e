"""The docutils tree of a text, with everything that reads files, runs code or prints switched off."""

import re
from functools import cache
from optparse import Values
from typing import cast

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

_SILENT = 5
_HEADER = re.compile(r"\A\s*(?:[A-Z][\w-]*:.*\n(?:[ \t]+\S.*\n)*){2,}(?=\s*\n)")
_HEADER_LINE = re.compile(r"^([A-Z][\w-]*):[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)


def parse(text: str) -> nodes.document:
    """The tree of one text, without transforms: references keep their names. Nothing is read but `text`."""
    document = new_document("text", _settings())
    Parser().parse(text, document)
    return document


def split_header(text: str) -> tuple[dict[str, str], str]:
    """The `Key: value` lines that open a PEP or a mail, and the rest; {} when the text has none."""
    match = _HEADER.match(text)
    if not match:
        return {}, text
    properties = {key: " ".join(value.split()) for key, value in _HEADER_LINE.findall(match.group())}
    return properties, text[match.end() :]


@cache
def _settings() -> Values:
    settings = cast(Values, get_default_settings(Parser))
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = _SILENT
    settings.halt_level = _SILENT
    settings.warning_stream = False
    settings.syntax_highlight = "none"
    settings.smart_quotes = False
    settings.line_length_limit = 1_000_000
    return settings
