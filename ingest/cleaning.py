"""Unicode hygiene for everything a reader yields: what a person cannot see is removed, what they see is kept. Pure.

Every text becomes NFC (canonically equivalent, so nothing is lost). Joiners stay where scripts and emoji need them (Unicode 17,
sections 9.2 and 12.1; UTS 51). A failure here refuses the document: nothing uncleaned is passed on.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import replace

from ingest.blocks import Block, Link, Reading

METADATA_CHARACTERS = 1_024
METADATA_ENTRIES = 100
TARGET_CHARACTERS = 2_048
TITLE_CHARACTERS = 1_024

_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SUSPECT = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
# The three flags that Unicode recommends with tag characters: England, Scotland, Wales. Any other use hides text.
_FLAG = re.compile(
    "\U0001f3f4(?:" + "|".join("".join(chr(0xE0000 + ord(c)) for c in code) for code in ("gbeng", "gbsct", "gbwls")) + ")\U000e007f"
)
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Scripts whose letters join: Arabic to Myanmar, Khmer, Mongolian and their neighbours, and Arabic presentation forms.
_JOINING = re.compile(r"[\u0600-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]")
_EMOJI_BEFORE = re.compile(r"[\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_SPACES = re.compile(r"\s+")
_PERMALINK = re.compile(r"(?<=\S)\s*[¶🔗]+$")  # documentation tools put it after a heading to link to it
_HIDDEN = {"tag characters": range(0xE0000, 0xE0080), "text direction overrides": (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def clean_text(text: str) -> str:
    """`text` in NFC without control, invisible and unpaired characters; lines end in a line feed, an unpaired half becomes U+FFFD."""
    text = _BREAKS.sub("\n", text)
    if _SUSPECT.search(text):
        flags = [match.span() for match in _FLAG.finditer(text)]
        text = _SUSPECT.sub(lambda match: _kept(match, flags), text)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def clean_line(text: str) -> str:
    """`clean_text` on one line, spaces collapsed."""
    return _SPACES.sub(" ", clean_text(text)).strip()


def clean_reading(reading: Reading) -> Reading:
    """The reading with every text cleaned; blocks that hold nothing visible are left out, over-long properties are shortened."""
    warnings = [clean_line(warning) for warning in reading.warnings]
    hidden = Counter[str]()
    blocks = []
    for block in reading.blocks:
        _count_hidden(block.text, hidden)
        cleaned = clean_block(block)
        if cleaned.text.strip():
            blocks.append(cleaned)
    warnings += [f"{count:,} {name} were removed: they hide text from a person's eyes" for name, count in hidden.items()]
    title = _shortened(clean_line(reading.title), TITLE_CHARACTERS, "the title", warnings)
    metadata = _clean_metadata(reading.metadata, warnings)
    aliases = tuple(dict.fromkeys(alias for alias in (clean_line(alias)[:TITLE_CHARACTERS] for alias in reading.aliases) if alias))
    return replace(reading, title=title, blocks=tuple(blocks), warnings=tuple(warnings), metadata=metadata, aliases=aliases)


def clean_block(block: Block) -> Block:
    """The block with its text, number, links and anchors cleaned; a heading is one line."""
    text = _PERMALINK.sub("", clean_line(block.text)) if block.kind == "heading" else clean_text(block.text)
    links = tuple(Link(text=clean_line(link.text), target=_clean_target(link.target)) for link in block.links)
    anchors = tuple(_clean_target(anchor) for anchor in block.anchors)
    number = clean_line(block.number) if block.number else None
    if (text, links, anchors, number) == (block.text, block.links, block.anchors, block.number):
        return block
    return replace(
        block,
        text=text,
        number=number or None,
        links=tuple(link for link in links if link.target),
        anchors=tuple(anchor for anchor in anchors if anchor),
    )


def _kept(match: re.Match[str], flags: list[tuple[int, int]]) -> str:
    """What stands for one suspect character: itself where the script needs it, else nothing."""
    character, text, place = match.group(), match.string, match.start()
    code = ord(character)
    before = text[place - 1] if place else ""
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code in (0x200C, 0x200D):
        needed = bool(_JOINING.match(before) or (code == 0x200D and _EMOJI_BEFORE.match(before)))
    elif code in (0x200E, 0x200F, 0x061C):
        needed = bool(_RIGHT_TO_LEFT.search(text))
    elif 0xFE00 <= code <= 0xFE0F:
        needed = bool(before) and not before.isspace() and not 0xFE00 <= ord(before) <= 0xFE0F
    elif 0xE0100 <= code <= 0xE01EF:
        needed = bool(_HAN.match(before))
    elif 0xE0000 <= code <= 0xE007F:
        needed = any(start <= place < end for start, end in flags)
    else:
        needed = False
    return character if needed else ""


def _count_hidden(text: str, hidden: Counter[str]) -> None:
    if text.isascii() or not _SUSPECT.search(text):
        return
    plain = _FLAG.sub("", text)
    for name, codes in _HIDDEN.items():
        found = sum(ord(character) in codes for character in plain)
        if found:
            hidden[name] += found


def _clean_target(target: str) -> str:
    return clean_text(target).replace("\n", "").strip()[:TARGET_CHARACTERS]


def _clean_metadata(metadata: dict[str, str], warnings: list[str]) -> dict[str, str]:
    cleaned: dict[str, str] = {}
    for key, value in metadata.items():
        name, text = clean_line(key)[:100], clean_line(value)
        if name and text:
            cleaned[name] = _shortened(text, METADATA_CHARACTERS, f"the property {name}", warnings)
    if len(cleaned) > METADATA_ENTRIES:
        warnings.append(f"{len(cleaned) - METADATA_ENTRIES:,} of {len(cleaned):,} properties were left out")
        cleaned = dict(list(cleaned.items())[:METADATA_ENTRIES])
    return cleaned


def _shortened(text: str, most: int, what: str, warnings: list[str]) -> str:
    if len(text) <= most:
        return text
    warnings.append(f"{what} has {len(text):,} characters and was shortened to {most:,}")
    return text[:most]
