"""Every section gets its labels, its own and those of all sections above it. Pure.

A bare number is a chapter and a section at the document's top numbered level; below it counts in its qualified form ("2 Scope" under
"3 Safety" is section 3.2), so the third subsection of chapter 5 is never chapter 3. Parts, books and volumes do not number what is
below them, they qualify it ("part 2 chapter 1"). Headings without a number have no labels of their own.
"""

from collections import Counter
from dataclasses import dataclass, replace

from es_mappings.label_numbers import NumberStyle, canonical_number, qualify, split_label
from es_mappings.label_words import VOLUMES
from es_mappings.numerals import roman_value
from ingest.heading_numbers import HeadingNumber, heading_number
from ingest.outline import Outline

_LETTERED = ("appendix", "annex")


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionLabels:
    """`own` labels name this section, `inherited` are these and those of every section above.

    `style` is how the first component of the full number is written: of "1." under "A." under "II." it is roman.
    """

    own: tuple[str, ...]
    inherited: tuple[str, ...]
    style: NumberStyle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What a section passes down: the label of the part it is in, the kind and number that qualify numbers below, depth of the part."""

    volume: str = ""
    kind: str = ""
    number: str = ""
    style: NumberStyle | None = None
    depth: int = 0


def label_outline(outline: Outline) -> tuple[SectionLabels, ...]:
    """The labels of each section, in the order of `outline.sections`; the document itself has none."""
    numbers = _numbers(outline)
    places = _places(outline, numbers)
    top, restarting = _top_level(outline, numbers, places)
    has_chapters = any(label.startswith("chapter ") for number in numbers for label in number.named)
    found: list[SectionLabels] = []
    for index, section in enumerate(outline.sections):
        number, above = numbers[index], places[section.parent] if section.parent is not None else _Place()
        own = [label for name in number.named for label in _named_labels(name, above)]
        if number.bare:
            is_top = not above.number and top in (None, section.level - above.depth)
            own += _bare_labels(number, above, is_top=is_top, is_chapter=not has_chapters and above.volume not in restarting)
        mine = tuple(dict.fromkeys(own))
        inherited = found[section.parent].inherited if section.parent is not None else ()
        style = places[index].style if mine else None
        found.append(SectionLabels(own=mine, inherited=tuple(dict.fromkeys((*inherited, *mine))), style=style))
    return tuple(found)


def _numbers(outline: Outline) -> list[HeadingNumber]:
    """What each heading says of itself, doubtful letters settled by what stands before them."""
    numbers = [HeadingNumber()]
    before: dict[int | None, HeadingNumber] = {}
    levels = [section.level for section in outline.sections if section.number]
    top = min(levels, default=0)
    counts_in_digits = False
    for section in outline.sections[1:]:
        parent = outline.sections[section.parent or 0]
        number = heading_number(section.number, section.title, parent.title if section.parent else "")
        sibling = before.get(section.parent, HeadingNumber())
        if len(number.written) == 1 and number.style == "roman" and sibling.style == "letter" and _follows(sibling.bare, number.written):
            number = replace(number, bare=number.written.lower(), style="letter")
        if section.level == top and number.style == "digits" and number.bare:
            counts_in_digits = True
        if counts_in_digits and section.level == top and number.style == "letter" and len(number.bare) == 1 and number.written.isupper():
            # Letters after numbers on the top level are the appendices of a paper.
            number = replace(number, bare="", named=(f"appendix {number.bare}", f"section {number.bare}"))
        before[section.parent] = number
        numbers.append(number)
    return numbers


def _follows(letter: str, written: str) -> bool:
    return len(letter) == 1 and ord(written.lower()) == ord(letter) + 1


def _places(outline: Outline, numbers: list[HeadingNumber]) -> list[_Place]:
    places = [_Place()]
    for index, section in enumerate(outline.sections[1:], 1):
        places.append(_place_below(numbers[index], places[section.parent or 0], section.level))
    return places


def _place_below(number: HeadingNumber, above: _Place, level: int) -> _Place:
    kind, value = split_label(number.named[0]) if number.named else ("", "")
    if kind in VOLUMES and value:
        label = f"{above.volume} {kind} {value}".strip()
        return _Place(volume=label, style=number.style, depth=level)
    if value:
        nested = qualify(f"{above.kind} {above.number}", f"{kind} {value}") if above.number and kind == "section" else None
        value = split_label(nested)[1] if nested else value
        return _Place(volume=above.volume, depth=above.depth, kind=kind, number=value, style=number.style)
    if number.bare:
        kind = above.kind if above.kind in (*_LETTERED, "article") else "section"
        style = above.style if above.number and "." not in number.bare else number.style
        return _Place(volume=above.volume, depth=above.depth, kind=kind, number=_full_number(number, above), style=style)
    return above


def _full_number(number: HeadingNumber, above: _Place) -> str:
    """The bare number with the numbers above it, unless it was typed with them: "2" under 3 is "3.2", "3.2" stays."""
    if not above.number or "." in number.bare:
        return number.bare
    # Below the first component letters stay letters: "II" under 3 is "3.ii", as the mention "3.II" is.
    return canonical_number(f"{above.number}.{number.written}") or f"{above.number}.{number.bare}"


def _top_level(outline: Outline, numbers: list[HeadingNumber], places: list[_Place]) -> tuple[int | None, set[str]]:
    """The top numbered level counted from the part, and the parts ("" for none) in which its numbers begin anew under headings.

    None for any level, where chapters count through headings without a number: some stand below such a part, some beside it.
    """
    candidates = set()
    for index, section in enumerate(outline.sections[1:], 1):
        above = places[section.parent or 0]
        if numbers[index].bare and not above.number and "." not in numbers[index].bare:
            candidates.add((section.level - above.depth, above.volume, numbers[index].bare, section.parent))
    if len({(volume, bare) for _, volume, bare, _ in candidates}) == len(candidates):
        return None, set()
    top = min((level for level, *_ in candidates), default=0)
    parents = Counter((volume, bare) for level, volume, bare, _ in candidates if level == top)
    return top, {volume for (volume, _), count in parents.items() if count > 1}


def _named_labels(name: str, above: _Place) -> list[str]:
    kind, value = split_label(name)
    labels = [name]
    if kind in _LETTERED:
        labels.append(kind)
        if value in ("i", "v", "x") and (roman := roman_value(value)):
            labels.append(f"{kind} {roman}")
    if kind == "section" and above.number and (nested := qualify(f"{above.kind} {above.number}", name)):
        labels.append(nested)
    return [*labels, *_in_volume(labels, above)]


def _bare_labels(number: HeadingNumber, above: _Place, *, is_top: bool, is_chapter: bool) -> list[str]:
    full = _full_number(number, above)
    if above.number or "." in full:
        labels = [f"{above.kind} {full}"] if above.kind in (*_LETTERED, "article") else []
        labels.append(f"section {full}")
        if "." not in number.bare and number.style == "roman" and number.bare.isdigit():
            labels.append(f"section {above.number}.{number.bare}")
    elif is_top:
        labels = [*((f"chapter {full}",) if is_chapter and not full.isalpha() else ()), f"section {full}"]
    else:
        return []
    return [*labels, *_in_volume(labels, above)]


def _in_volume(labels: list[str], above: _Place) -> list[str]:
    return [f"{above.volume} {label}" for label in labels if above.volume and " " in label]
