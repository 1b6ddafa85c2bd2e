"""The look of a document's running text, against which everything else stands out or does not. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.word.pieces import Look, Paragraph

_STOP = re.compile(r"[.!?。！？；;:：][\"'”’)\]」』）]*$")
_FULL_STOP = re.compile(r"[.。；;][\"'”’)\]」』）]*$")
_MONOSPACED = re.compile(r"courier|consol|mono|menlo|monaco|typewriter|fixedsys|andale|terminal", re.IGNORECASE)
_FONT_SHARE = 0.1
_LONG, _LONG_EAST_ASIAN, _VERY_LONG = 60, 25, 120
_EAST_ASIAN = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")


def is_monospaced(look: Look) -> bool:
    """Whether the font is one of program text."""
    return bool(_MONOSPACED.search(look.font))


def is_running_text(paragraph: Paragraph) -> bool:
    """Whether a paragraph reads like text: long, or a sentence of some length."""
    text = paragraph.words
    if is_monospaced(paragraph.look):
        return False
    long = _LONG_EAST_ASIAN if _EAST_ASIAN.search(text) else _LONG
    return len(text) >= _VERY_LONG or (len(text) >= long and bool(_STOP.search(text)))


def reads_like_sentence(text: str) -> bool:
    """Whether several words end in a full stop."""
    return bool(_FULL_STOP.search(text.strip())) and (len(text.split()) > 3 or len(_EAST_ASIAN.findall(text)) > 8)


def stands_out(look: Look, body: Look) -> bool:
    """Whether a look is larger, heavier or set apart from that of the running text."""
    switches = ("bold", "caps", "underline", "centred", "keep_next")
    return look.size > 1.03 * body.size or any(getattr(look, name) and not getattr(body, name) for name in switches)


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyText:
    """The look of most of the running text, and all the fonts that it uses (Latin and East Asian letters have their own)."""

    look: Look
    fonts: frozenset[str]


def body_text(paragraphs: Sequence[Paragraph]) -> BodyText:
    """How the running text looks; where there is none, how most of all paragraphs look."""
    weights: Counter[Look] = Counter()
    for paragraph in paragraphs:
        if is_running_text(paragraph):
            weights[paragraph.look] += len(paragraph.text)
    if not weights:
        for paragraph in paragraphs:
            if not is_monospaced(paragraph.look):
                weights[paragraph.look] += len(paragraph.text.strip())
    if not +weights:
        return BodyText(look=Look(), fonts=frozenset())
    sizes: Counter[float] = Counter()
    for look, weight in weights.items():
        sizes[look.size] += weight
    size = sizes.most_common(1)[0][0]
    common = Counter({look: weight for look, weight in weights.items() if look.size == size})
    fonts: Counter[str] = Counter()
    for paragraph in paragraphs:
        if paragraph.look.size == size and not paragraph.look.bold:
            fonts[paragraph.look.font] += len(paragraph.text.strip())
    total = sum(fonts.values())
    return BodyText(
        look=common.most_common(1)[0][0],
        fonts=frozenset(font for font, weight in fonts.items() if weight >= _FONT_SHARE * total),
    )
