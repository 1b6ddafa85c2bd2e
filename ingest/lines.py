"""Lines that a typist or an editor wrapped become running text again. Pure."""

import re

# Scripts that are written without spaces between words (not Hangul), with their punctuation and full-width forms.
_UNSPACED = re.compile("[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffee\U0001b000-\U0001b16f\U00020000-\U000323af]")


def joined(text: str) -> str:
    """The lines of `text` as one: a line break is a space, or nothing between characters written without spaces."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    pieces = [lines[0].rstrip(" \t")]
    for line in lines[1:]:
        bare = line.strip(" \t")
        before = pieces[-1][-1:]
        close = bool(_UNSPACED.match(before) and _UNSPACED.match(bare))
        pieces.append(bare if close or not before else f" {bare}")
    return "".join(pieces).rstrip(" ") if not lines[-1].strip(" \t") else "".join(pieces)
