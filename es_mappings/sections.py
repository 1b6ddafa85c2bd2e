"""Where a heading becomes a path: `slug/3 Experiments/3.1 Data` to read and `doc_id/00003/00001` to be exact. Pure.

Both are filtered by one `term` query on a path_hierarchy field, so a branch is exact at every level: "3" never matches
"30", "实验" never matches "实验前". Limits: an element has at most 200 characters, a path at most 8,000 bytes (a keyword
term may have 32,766 bytes in Lucene; shorter paths keep every level of the hierarchy below it); what is longer is
shortened and ends in a hash, so different titles stay different.
"""

import hashlib
import re
import unicodedata

ELEMENT_CHARACTERS = 200
PATH_BYTES = 8_000
KEY_DIGITS = 5
_SPACES = re.compile(r"\s+")
_SLUG_BREAK = re.compile(r"[^\w]+")
_DIVISION_SLASH = "\u2215"


def clean_element(text: str) -> str:
    """One path element: NFKC, spaces collapsed, "/" as U+2215, at most 200 characters (then `...~HASH`)."""
    plain = _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip().replace("/", _DIVISION_SLASH)
    if len(plain) > ELEMENT_CHARACTERS:
        plain = f"{plain[: ELEMENT_CHARACTERS - 9]}~{short_hash(plain)}"
    return plain or "-"


def heading_text(number: str | None, title: str) -> str:
    """The heading as a person writes it: an automatic number stands before the title, a typed one is in it already."""
    if not number or is_typed(number, title):
        return title
    return f"{number} {title}".strip()


def is_typed(number: str, title: str) -> bool:
    """Whether a heading's number stands in its title, too: "3" in "3. Rules", and neither in "30 rules" nor "C" in "Copper"."""
    bare, plain = number.lstrip("§ ") or number, title.lstrip("§ ")
    after = plain[len(bare) : len(bare) + 1]
    return plain.startswith(bare) and not (bare[-1:].isalnum() and after.isascii() and after.isalnum())


def section_path(slug: str, headings: tuple[str, ...]) -> str:
    """The readable path of a section from the document's slug and the headings from the top down to it."""
    path = "/".join([slug, *(clean_element(heading) for heading in headings)])
    data = path.encode()
    if len(data) <= PATH_BYTES:
        return path
    kept = data[: PATH_BYTES - 9].decode(errors="ignore")
    return f"{kept}~{short_hash(path)}"


def section_key(doc_id: str, ordinals: tuple[int, ...]) -> str:
    """The exact key of a section: the document and the zero-padded ordinal (from 1) at each level; the document itself has none."""
    return "/".join([doc_id, *(f"{ordinal:0{KEY_DIGITS}d}" for ordinal in ordinals)])


def slug_of(title: str) -> str:
    """A document's slug: lower case words joined by "-", at most 80 characters; "document" when nothing is left."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    return _SLUG_BREAK.sub("-", plain).strip("-_")[:80].strip("-_") or "document"


def document_id(collection: str, source: str) -> str:
    """The id of a document: the first 32 hex digits of SHA-256 over the unambiguously joined collection and source name."""
    return joined_hash(collection, source)[:32]


def joined_hash(*parts: str) -> str:
    """SHA-256 (hex) over parts with their lengths, so ("a", "bc") and ("ab", "c") differ."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


def short_hash(text: str) -> str:
    """Eight hex digits that tell long texts apart in a shortened path."""
    return joined_hash(text)[:8]
