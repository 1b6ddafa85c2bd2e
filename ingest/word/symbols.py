"""Characters of the fonts Symbol and Wingdings, which Word stores as codes of a private area, as Unicode. Pure."""

# The Greek letters and signs of the font Symbol, from code 0x22 on where it differs from ASCII (Adobe symbol encoding).
_SYMBOL = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    0xA1: "ϒ", 0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
    0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
    0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCA: "⊇",
    0xCB: "⊄", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDD: "⇑", 0xDE: "⇒",
    0xDF: "⇓", 0xE0: "◊", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x73: "⬧", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢",
    0xDF: "←", 0xE0: "→", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip


def symbol(font: str, code: str | None) -> str:
    """The character of a `w:sym`: `code` is its hexadecimal number; "" when nothing is known to show it.

    >>> symbol("Symbol", "F061"), symbol("Wingdings", "F0FC")
    ('α', '✓')
    """
    try:
        number = int(code or "", 16)
    except ValueError:
        return ""
    place = number - 0xF000 if 0xF000 <= number <= 0xF0FF else number
    if font == "Symbol":
        return _SYMBOL.get(place) or (chr(place) if 0x20 <= place < 0x7F else "")
    if font.startswith(("Wingdings", "Webdings")):
        return _WINGDINGS.get(place, "•")
    return chr(number) if 0x20 <= number < 0xD800 or 0xF900 <= number <= 0x10FFFF else ""


def unmapped(text: str, font: str) -> str:
    """Text typed in a symbol font, whose characters may stand in the private area."""
    if not any("\uf000" <= character <= "\uf0ff" for character in text):
        return text
    return "".join(symbol(font, f"{ord(c):X}") if "\uf000" <= c <= "\uf0ff" else c for c in text)
