"""Word (.docx): styles and outline levels give the headings, their look where there are none; numbers are computed as Word shows them."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from es_mappings.errors import EmptyDocument
from ingest.articles import FEWEST, is_article, with_articles
from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample
from ingest.numbering import numbered
from ingest.word.assembly import Plan, assemble
from ingest.word.body_look import body_text
from ingest.word.contents import ContentsList, find_contents
from ingest.word.document import WordDocument, read_document
from ingest.word.headings import find_headings
from ingest.word.package import OLE_MAGIC
from ingest.word.pieces import Findings, Paragraph, Piece
from ingest.word.titles import find_title, is_telling
from ingest.word.wording import word_headings

NAME = "docx"
SUFFIXES = (".docx", ".docm", ".dotx", ".dotm")

_STYLE_WORDS = frozenset({"style", "styles", "outline_level", "outline_levels"})
_NUMBER_WORDS = frozenset({"number", "numbers", "numbering", "numberings"})


def recognises(sample: Sample) -> bool:
    """A zip with a Word document in it; or, under a Word suffix, an encrypted one or one too damaged to list."""
    if any(name.startswith("word/") for name in sample.members):
        return True
    is_whole = bool(sample.members)
    return sample.suffix in SUFFIXES and not is_whole and sample.head.startswith((b"PK", OLE_MAGIC))


def read(path: Path, options: ReadOptions) -> Reading:
    """The blocks of a Word file. Raises the UnreadableDocument family."""
    with_styles = not _STYLE_WORDS & options.without
    with_numbers = not _NUMBER_WORDS & options.without
    document = read_document(path, most_pieces=3 * options.max_blocks)
    pieces = document.pieces
    typed = find_contents([piece if isinstance(piece, Paragraph) and not piece.is_contents else None for piece in pieces])
    made = {place for place, piece in enumerate(pieces) if isinstance(piece, Paragraph) and piece.is_contents}
    lines = {place for contents in typed for place in contents.places}
    found = find_headings(pieces, made | lines, with_styles=with_styles, with_numbers=with_numbers)
    headings = word_headings(pieces, found, with_numbers=with_numbers)
    body = body_text([piece for piece in pieces if isinstance(piece, Paragraph) and not piece.detached])
    title = find_title(pieces, headings, lines, document.properties, body.look.size, with_styles=with_styles)
    repeated = {place for contents in typed if contents.is_repeated for place in contents.places}
    headings = {place: heading for place, heading in headings.items() if place not in title.places}
    plan = Plan(
        headings=headings,
        dropped=(made | repeated | title.places) - headings.keys(),
        listed=lines - repeated,
        articles=_articles(pieces),
        with_numbers=with_numbers,
    )
    blocks = assemble(pieces, plan, document.notes, document.findings.notes)
    if not blocks and not title.text:
        raise EmptyDocument(_empty_message(path.name, document.findings))
    stated = document.properties.get("title", "")
    return Reading(
        title=title.text,
        format=NAME,
        blocks=with_articles(numbered(blocks)) if with_numbers else blocks,
        warnings=_warnings(document, typed),
        metadata={name: text for name, text in document.properties.items() if name != "title"},
        aliases=(stated,) if is_telling(stated) and stated != title.text else (),
    )


def _articles(pieces: Sequence[Piece]) -> set[int]:
    """The paragraphs that Word numbers "Article 1" or "第一条", where a list counts several."""
    counted: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        if isinstance(piece, Paragraph) and piece.marker and is_article(piece.marker.text):
            counted[piece.marker.list_id, piece.marker.level].append(place)
    return {place for places in counted.values() if len(places) >= FEWEST for place in places}


def _warnings(document: WordDocument, typed: tuple[ContentsList, ...]) -> tuple[str, ...]:
    findings = document.findings
    repeated = sum(len(contents.places) for contents in typed if contents.is_repeated)
    facts = (
        (findings.hidden_characters, "{:,} characters of hidden text were left out"),
        (findings.invisible_characters, "{:,} characters that nobody can see (white or tiny) were left out"),
        (findings.embedded_parts, "{:,} embedded documents were not read: open and save the file in Word to take them in"),
        (findings.too_deep, "{:,} tables or boxes are nested too deeply and were not read"),
        (repeated, "a typed table of contents ({:,} lines) was left out, because the headings say the same"),
    )
    return tuple(text.format(count) for count, text in facts if count)


def _empty_message(name: str, findings: Findings) -> str:
    if findings.embedded_parts:
        return f"{name} only embeds another document: open it in Word, save it, and store that copy"
    if findings.pictures:
        return f"{name} has pictures but no text: store the text, or a PDF of it that OCR can read"
    return f"{name} has no text: there is nothing to store"
