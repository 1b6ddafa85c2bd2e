"""Reading as the settings say: in a confined child, then, when asked for, a language model about what stayed in doubt."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from es_mappings.errors import SettingsError
from es_mappings.settings import Settings
from ingest.blocks import Reading
from ingest.chat import Chat, open_chat
from ingest.formats import ReadOptions
from ingest.leveling import level_doubts
from ingest.parts import ReadFile
from ingest.pdf.evidence import LANGUAGE_MODEL, named
from ingest.sandbox import Limits, ReaderPool


@contextmanager
def open_reader(settings: Settings) -> Iterator[ReadFile]:
    """What reads documents, with children that wait for the next one. Raises SettingsError for evidence that cannot be had."""
    chat = _chat(settings)

    def read(path: Path, options: ReadOptions) -> Reading:
        reading = readers.read(path, _as_set(options, settings))
        return level_doubts(reading, chat, settings.llm_window, options.announce) if chat else reading

    with ReaderPool(Limits.of(settings)) as readers:
        yield read


def _as_set(options: ReadOptions, settings: Settings) -> ReadOptions:
    return replace(
        options,
        evidence=settings.pdf_evidence,
        page_seconds=settings.reader_page_seconds,
        longest_seconds=settings.reader_longest_seconds,
        ocr_languages=settings.ocr_languages,
    )


def _chat(settings: Settings) -> Chat | None:
    """The language model when it is among the evidence."""
    if LANGUAGE_MODEL not in named(settings.pdf_evidence):
        return None
    chat = open_chat(settings)
    if chat is None:
        raise SettingsError("SECTIONARY_PDF_EVIDENCE names llm, but SECTIONARY_LLM_BASE_URL is empty: set it or leave llm out")
    return chat
