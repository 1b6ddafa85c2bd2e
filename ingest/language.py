"""The main language of a text, from its script and, for Latin script, from a few very common words. Pure."""

import re
from collections import Counter

SAMPLE_CHARACTERS = 20_000
_SCRIPTS = {
    "zh": re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]"),
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
_WORDS = {
    "en": frozenset(["the", "of", "and", "to", "in", "is", "that", "for", "it", "with", "as", "are", "this", "be", "on"]),
    "de": frozenset(["der", "die", "und", "das", "ist", "nicht", "ein", "eine", "zu", "den", "mit", "von", "für", "auf", "sich"]),
    "fr": frozenset(["le", "la", "les", "des", "et", "est", "une", "que", "pour", "dans", "qui", "sur", "pas", "au", "du"]),
    "es": frozenset(["el", "los", "las", "de", "que", "en", "una", "por", "con", "para", "es", "del", "se", "como", "más"]),
}
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_SHARE = 0.08


def language_of(text: str) -> str | None:
    """An ISO 639-1 code (zh, ja, ko, ar, ru, en, de, fr, es), or None when neither script nor words tell.

    A quarter of Han, kana, Hangul, Arabic or Cyrillic among the letters decides; kana beside Han is Japanese.
    """
    sample = text[:SAMPLE_CHARACTERS]
    letters = sum(character.isalpha() for character in sample)
    if not letters:
        return None
    shares = {language: len(pattern.findall(sample)) / letters for language, pattern in _SCRIPTS.items()}
    if shares["ja"] > 0.1:
        return "ja"
    script, share = max(shares.items(), key=lambda pair: pair[1])
    if share >= 0.25:
        return script
    words = Counter(word.casefold() for word in _WORD.findall(sample))
    total = sum(words.values())
    counts = {language: sum(words[word] for word in common) / max(1, total) for language, common in _WORDS.items()}
    language, share = max(counts.items(), key=lambda pair: pair[1])
    return language if share >= _LEAST_SHARE else None
