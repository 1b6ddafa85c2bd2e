"""Bytes become text: byte order marks, UTF-8, UTF-16 without a mark, then the most likely older encoding. Pure."""

import codecs
import re
from dataclasses import dataclass

from es_mappings.errors import EmptyDocument, MalformedDocument

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Enough to tell encodings apart; whole books take charset-normalizer seconds.
_SAMPLE_BYTES = 32_768
# Text has hardly any control characters; more than one in fifty is another kind of file.
_CONTROL_SHARE = 0.02
# What programs write for terminals and printers: colours, and letters struck twice to make them bold.
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]")
_OVERSTRUCK = re.compile(r"[^\n]\x08")
_TEXT_CONTROLS = frozenset("\t\n\r\x0b\x0c\x1a\x85")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text with lines that end in a line feed, the encoding it came in, and sentences for a person about doubts."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes, name: str, declared: str = "") -> Decoded:
    """The text of `data`; `declared` is an encoding that the document claims. Raises EmptyDocument, MalformedDocument (binary)."""
    mark, encoding = next(((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", ""))
    stated = encoding or _strict(data, declared)
    encoding = stated or _without_mark(data) or _guessed(data)
    text = data[len(mark) :].decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip(" \t\n\0\ufeff"):
        raise EmptyDocument(f"{name} is empty: there is nothing to store")
    if "\x1b" in text or "\b" in text:
        text = _OVERSTRUCK.sub("", _ESCAPES.sub("", text))
    if _control_share(text) > _CONTROL_SHARE:
        raise MalformedDocument(f"{name} holds binary data, not text: give it the suffix of its true format")
    warnings = []
    if not stated:
        warnings.append(f"the text was read as {encoding}; save it as UTF-8 if characters look wrong")
    lost = text.count("\ufffd")
    if lost:
        warnings.append(f"{lost:,} characters could not be decoded")
    return Decoded(text=text, encoding=encoding, warnings=tuple(warnings))


def _strict(data: bytes, declared: str) -> str:
    """UTF-8 or the declared encoding where the bytes obey it, else ""."""
    for encoding in ("utf-8", declared):
        try:
            if encoding:
                data.decode(encoding)
                return codecs.lookup(encoding).name
        except (UnicodeDecodeError, LookupError):
            continue
    return ""


def _without_mark(data: bytes) -> str:
    """UTF-16 or UTF-32 told by where the zero bytes stand."""
    head = data[: _SAMPLE_BYTES & ~3]
    if b"\0" not in head:
        return ""
    zeros = [head[place::4].count(0) / max(1, len(head[place::4])) for place in range(4)]
    if min(zeros[1:]) > 0.9:
        return "utf-32-le"
    if min(zeros[:3]) > 0.9:
        return "utf-32-be"
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            sample = head.decode(encoding, errors="strict")
        except UnicodeDecodeError:
            continue
        if _control_share(sample) <= _CONTROL_SHARE and sum(c.isspace() for c in sample) > len(sample) // 200:
            return encoding
    return ""


def _guessed(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE_BYTES]).best()
    if best is None:
        return "utf-8" if _mostly_utf8(data) else "cp1252"
    # GB2312 and GBK text may hold characters that only their superset has; Western text that fits is Western.
    if best.encoding in ("gb2312", "gbk"):
        return "gb18030"
    return "cp1252" if "cp1252" in best.could_be_from_charset else best.encoding


def _mostly_utf8(data: bytes) -> bool:
    text = data[:_SAMPLE_BYTES].decode(errors="replace")
    return text.count("\ufffd") < len(text) / 100


def _control_share(text: str) -> float:
    sample = text[:_SAMPLE_BYTES]
    controls = sum(character < " " and character not in _TEXT_CONTROLS for character in sample)
    return controls / max(1, len(sample))
