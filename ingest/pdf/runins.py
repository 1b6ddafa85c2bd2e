"""Headings run into their paragraph: bold, underlined or slanted first words, "SUMMARY:", "1.1 Purchase Price. ..." Pure.

A lead alone proves little: papers stress first words, lists name their items. So leads are judged as a class (how they are set, how
they are numbered), and a class heads parts of the document when it comes again with other words and with text after each.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Literal

from ingest.pdf.likelihood import is_label_word, is_statement
from ingest.pdf.numbering import Numbering
from ingest.pdf.typography import Look, half, small_capitals
from ingest.pdf.units import BULLET, Unit, joined_texts, weighted_length
from ingest.pdf.values import Line, Run

Dress = Literal["bold", "underlined", "italic", "small", "capitals"]
_CAPITAL_DRESS: Dress = "capitals"
_CAPITALS = re.compile(r"^[A-Z][A-Z ,/&'’()-]{2,60}:(?=\s)")
_END = re.compile(r"[.:：。—–]$")
_LONGEST = 110  # characters of a lead, those of Chinese counted double
_MOST_WORDS = 14
_FEWEST = 3  # leads that make a class
_TEXT_AFTER = 150  # characters in the mean after the leads of a class; items of lists and glossaries have fewer
_NUMBERED = 0.5  # share of numbered headings from which a document numbers all of its headings
_REPEATED = 4  # times that the same words come, from which they are a label
_OWN = 0.5  # share of a class that must not be such labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The first `length` characters of unit `index`, how they are set off, and the number they begin with."""

    index: int
    length: int
    text: str
    dress: Dress
    look: Look
    numbering: Numbering | None


def find_leads(
    units: Sequence[Unit],
    numberings: Sequence[Numbering | None],
    support: Mapping[int, float],
    left_out: Collection[int],
    numbered_share: float,
) -> list[Lead]:
    """The leads that are headings. `numbered_share` is the share of the headings found so far that have a number."""
    classes: dict[tuple[object, ...], list[Lead]] = defaultdict(list)
    for unit in units:
        lead = lead_of(unit, numberings[unit.index]) if unit.index not in left_out else None
        if lead is not None:
            family = (lead.numbering.family, lead.numbering.depth) if lead.numbering is not None else None
            classes[lead.dress, lead.look.size, lead.look.italic, family].append(lead)
    found: list[Lead] = []
    for members in classes.values():
        counts = Counter(lead.text.casefold() for lead in members)
        # What comes again and again ("Voting for this action:", "Proof.") labels a part of each section.
        own = [lead for lead in members if counts[lead.text.casefold()] < _REPEATED]
        if len(own) >= _OWN * len(members) and _is_heading_class(units, own, support, left_out, numbered_share):
            found.extend(own)
    return sorted(found, key=lambda lead: lead.index)


def _is_heading_class(
    units: Sequence[Unit], members: Sequence[Lead], support: Mapping[int, float], left_out: Collection[int], numbered_share: float
) -> bool:
    first, taken = members[0], {lead.index for lead in members}
    if len({lead.text.casefold() for lead in members}) < _FEWEST:
        return False
    if mean(_text_after(units, lead, taken | set(left_out)) for lead in members) < _TEXT_AFTER and first.dress != "capitals":
        return False
    if first.numbering is not None:
        return mean(support.get(lead.index, 0.0) for lead in members) >= 0.5
    # Where headings have numbers, what has none is below the outline; capitals with a colon name the fields of a notice.
    return first.dress == "capitals" or numbered_share < _NUMBERED


def _text_after(units: Sequence[Unit], lead: Lead, left_out: Collection[int]) -> int:
    """The length of the paragraph after the lead and of the unit that follows it, unless that is left out (the next lead, a note)."""
    own = weighted_length(units[lead.index].text) - weighted_length(lead.text)
    after = units[lead.index + 1] if lead.index + 1 < len(units) and lead.index + 1 not in left_out else None
    return own + (weighted_length(after.text) if after is not None else 0)


def lead_of(unit: Unit, numbering: Numbering | None) -> Lead | None:
    """The words that a paragraph begins with and that are set off from the rest of it, None when there are none."""
    if unit.look.mono or BULLET.match(unit.text):
        return None
    capitals = _CAPITALS.match(unit.text)
    length, dress = (capitals.end(), _CAPITAL_DRESS) if capitals else _dressed(unit, numbering)
    text = unit.text[:length].strip()
    while length < len(unit.text) and unit.text[length] in ".:：。—–" and not _END.search(text):
        length += 1
        text = unit.text[:length].strip()
    if not length or not _may_head(unit, numbering, text, length):
        return None
    look = unit.look._replace(
        bold=dress == "bold" or unit.first.runs[0].style.bold, italic=dress == "italic", underlined=dress == "underlined",
        case="upper" if dress == "capitals" else "small" if dress == "small" else "",
    )  # fmt: skip
    return Lead(index=unit.index, length=length, text=text, dress=dress, look=look, numbering=numbering)


def _may_head(unit: Unit, numbering: Numbering | None, text: str, length: int) -> bool:
    bare = text
    if numbering is not None:
        bare = text.removeprefix(numbering.label).strip(" .:：)—–\u3000")
        if not bare and numbering.strength < 3:
            return False
    elif not _END.search(text):
        return False
    if weighted_length(text) > _LONGEST or len(text.split()) > _MOST_WORDS or is_statement(text) or is_label_word(text):
        return False
    first = bare[:1]
    return not first.islower() and (not bare or any(c.isalpha() for c in bare)) and len(unit.text) - length >= 15


def _dressed(unit: Unit, numbering: Numbering | None) -> tuple[int, Dress]:
    """How many characters of a unit's beginning are set off from the rest, and how."""
    number = len("".join(numbering.label.split())) if numbering is not None else 0
    count, dress, whole = _dressed_line(unit.first, unit.look, number)
    if whole and len(unit.lines) > 1:
        more, _, _ = _dressed_line(unit.lines[1], unit.look, 0)
        second = unit.lines[1].text[: _position(unit.lines[1].text, more)]
        return (len(joined_texts(unit.first.text, second)) if second else len(unit.first.text)), dress
    return _position(unit.first.text, count), dress


def _dressed_line(line: Line, rest: Look, number: int) -> tuple[int, Dress, bool]:
    """(printed characters set off at the beginning, how, whether they are the whole line); a plain number may stand before them."""
    capitals = _small_capitals(line, rest)
    if capitals:
        return capitals, "small", False
    count = 0
    dress: Dress | None = None
    for run in line.runs:
        own = _dress(run, rest)
        length = len("".join(run.text.split()))
        if dress is None and own is None and count + length <= number + 2 and number:
            count += length
            continue
        if own is None or (dress is not None and own != dress):
            break
        dress = own
        count += length
    else:
        return (count, dress, True) if dress is not None else (0, "bold", False)
    if dress is None:
        return (_underlined(line), "underlined", False) if line.underline else (0, "bold", False)
    return count, dress, False


def _small_capitals(line: Line, rest: Look) -> int:
    """The printed characters of small capitals at the beginning: large initials and small letters that were typed in lower case."""
    end = 0
    for i, run in enumerate(line.runs):
        small = half(run.style.size) <= 0.86 * rest.size and not run.raised
        initial = i + 1 < len(line.runs) and half(line.runs[i + 1].style.size) <= 0.86 * rest.size and len(run.text.strip()) <= 2
        if not small and not initial:
            break
        end = i + 1
    runs = line.runs[:end]
    return len("".join("".join(run.text for run in runs).split())) if len(runs) > 1 and small_capitals(runs) else 0


def _dress(run: Run, rest: Look) -> Dress | None:
    if run.style.bold and not rest.bold:
        return "bold"
    if run.style.italic and not rest.italic:
        return "italic"
    return None


def _underlined(line: Line) -> int:
    """The printed characters up to the end of the underline that the line begins with, cut where words or sentences end."""
    share = (line.underline - line.x0) / max(1.0, line.width)
    place = round(share * len(line.text))
    ends = [match.end() for match in re.finditer(r"[.:：。—–]|(?<=\w)(?=\s)", line.text) if abs(match.end() - place) <= 3]
    place = min(ends, key=lambda end: abs(end - place)) if ends else place
    return len("".join(line.text[:place].split()))


def _position(text: str, printed: int) -> int:
    """The place in a text after so many characters that are no spaces."""
    seen = 0
    for i, character in enumerate(text):
        if seen == printed:
            return i
        seen += not character.isspace()
    return len(text)
