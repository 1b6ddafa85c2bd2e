"""The messages of one call and how long they may be. Pure: source text stands in a fence that it cannot close."""

from collections.abc import Sequence
from dataclasses import dataclass

from es_mappings.sections import short_hash
from es_mappings.tokens import count_tokens
from ingest.chat import Message
from ingest.prompting import fill, read_prompt
from ingest.summaries.tree import Role

RULES = "summary_rules"
TEMPLATES: dict[Role, str] = {
    "map": "summary_map",
    "reduce": "summary_reduce",
    "document": "summary_document",
    "refine": "summary_refine",
    "theme": "summary_theme",
}
LANGUAGES = {
    "zh": "Chinese (简体中文)",
    "en": "English",
    "ja": "Japanese",
    "ko": "Korean",
    "ar": "Arabic",
    "ru": "Russian",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
}
OWN_LANGUAGE = "the language of the text"
# What chat templates put around two messages, and the fence; generous.
_FRAME_TOKENS = 64
_NO_SPACES = ("zh", "ja")
# Asked for this share of the limit, models seldom run over it; a word of English is 1.3 tokens, a token of Chinese 1.3 characters.
_ASKED_SHARE = 0.6
_WORDS_A_TOKEN, _CHARACTERS_A_TOKEN = 0.75, 1.3
_LEAST_TOKENS = 60
_SHORTEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text with the heading that stands before it ("" for none)."""

    heading: str
    text: str


def language_name(code: str | None) -> str:
    """How a language is named in a prompt: by its ISO 639-1 code, as the caller writes it, or "the language of the text"."""
    return LANGUAGES.get(code.lower(), code) if code else OWN_LANGUAGE


def length_words(limit: int, source_tokens: int, code: str | None) -> str:
    """The length to ask for ("225 words", "390 characters") for a reply that may have `limit` tokens."""
    tokens = min(limit * _ASKED_SHARE, max(_LEAST_TOKENS, source_tokens / _SHORTEST))
    if code and code.lower() in _NO_SPACES:
        return f"{round(tokens * _CHARACTERS_A_TOKEN)} characters"
    return f"{round(tokens * _WORDS_A_TOKEN)} words"


def fenced(passages: Sequence[Passage]) -> str:
    """The passages between fence lines with a code that depends on them, so that no text can hold its own."""
    body = joined(passages)
    code = short_hash(body)
    return f"<<<SOURCE {code}\n{body}\n<<<END {code}"


def joined(passages: Sequence[Passage]) -> str:
    """The passages one after the other, each under its heading; a heading is not repeated right below itself."""
    parts: list[str] = []
    above = ""
    for passage in passages:
        heading = f"[{passage.heading}]\n" if passage.heading and passage.heading != above else ""
        parts.append(f"{heading}{passage.text}")
        above = passage.heading
    return "\n\n".join(parts)


def messages(template: str, passages: Sequence[Passage], slots: dict[str, str]) -> tuple[Message, ...]:
    """The rules and the filled template of one call."""
    text = fill(read_prompt(template), {**slots, "SOURCE": fenced(passages)})
    return (Message(role="system", content=read_prompt(RULES)), Message(role="user", content=text))


def overhead_tokens() -> int:
    """What a call needs beside text and reply: the longest template with the rules and the frame around them."""
    return count_tokens(read_prompt(RULES)) + max(count_tokens(read_prompt(name)) for name in TEMPLATES.values()) + _FRAME_TOKENS


def template_texts() -> tuple[str, ...]:
    """Every text that decides what a model is asked when a tree is made, for the recipe."""
    return (read_prompt(RULES), *(read_prompt(name) for _, name in sorted(TEMPLATES.items())))
