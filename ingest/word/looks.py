"""From the formatting of runs and paragraph to one look."""

from collections import Counter
from collections.abc import Sequence

from ingest.word.formatting import ParagraphFormat, RunFormat
from ingest.word.pieces import Look

# Of the characters, so many must agree for the paragraph as a whole to be bold, italic or underlined.
_SHARE = 0.9
_EAST_ASIAN_FROM = "\u2e80"
_BLACK = frozenset({"auto", "000000", ""})
_DEFAULT_SIZE = 10.0


def look_of(text: str, tally: Counter[RunFormat], paragraph: ParagraphFormat, fallback: RunFormat) -> Look:
    """The look of a paragraph; one without characters looks like its style (`fallback`)."""
    weights = +tally or Counter({fallback: 1})
    total = sum(weights.values())
    main = weights.most_common(1)[0][0]
    letters = [character for character in text if character.isalpha()]
    cased = [character for character in letters if character.lower() != character.upper()]
    is_cased = 2 * len(cased) > len(letters)
    is_upper = is_cased and len(cased) > 1 and all(character.isupper() for character in cased)
    east_asian = 2 * sum(character >= _EAST_ASIAN_FROM for character in letters) > len(letters)
    font = (main.east_asian_font if east_asian else main.font) or main.font or ""
    colour = main.colour or ""
    return Look(
        size=_most_common_size(weights),
        bold=_share(weights, total, "bold"),
        italic=_share(weights, total, "italic"),
        caps=is_upper or (is_cased and _share(weights, total, "caps")),
        underline=_share(weights, total, "underline"),
        colour="" if colour in _BLACK else colour,
        font=font,
        centred=paragraph.alignment == "center",
        before=paragraph.before or 0.0,
        after=paragraph.after or 0.0,
        indent=paragraph.indent or 0.0,
        keep_next=bool(paragraph.keep_next),
        bordered=bool(paragraph.bordered),
    )


def lead_length(spans: Sequence[tuple[RunFormat, int]]) -> int:
    """How many characters stand out at the start of a paragraph whose rest is plain; 0 when all or none stand out."""
    length = 0
    for fmt, characters in spans:
        if not (fmt.bold or fmt.italic or fmt.underline):
            return length
        length += characters
    return 0


def _share(weights: Counter[RunFormat], total: int, name: str) -> bool:
    return sum(count for fmt, count in weights.items() if getattr(fmt, name)) >= _SHARE * total


def _most_common_size(weights: Counter[RunFormat]) -> float:
    sizes: Counter[float] = Counter()
    for fmt, count in weights.items():
        sizes[fmt.size or _DEFAULT_SIZE] += count
    return sizes.most_common(1)[0][0]
