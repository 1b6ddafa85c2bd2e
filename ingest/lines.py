"""Lines that a typist or an editor wrapped become running text again. Pure."""

import re

# Scripts that are written without spaces between words (not Hangul), with their punctuation and full-width forms.
_UNSPACED = "\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffee\U0001b000-\U0001b16f\U00020000-\U000323af"
_BETWEEN_UNSPACED = re.compile(f"(?<=[{_UNSPACED}])[ \t]*\n[ \t]*(?=[{_UNSPACED}])")
_BREAK = re.compile(r"[ \t]*\n[ \t]*")


def joined(text: str) -> str:
    """The lines of `text` as one: a line break is a space, or nothing between characters written without spaces."""
    if "\n" not in text:
        return text
    return _BREAK.sub(" ", _BETWEEN_UNSPACED.sub("", text))
