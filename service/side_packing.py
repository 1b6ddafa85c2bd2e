"""The budget of a comparison: an even share for each side first, then what a side leaves goes to those that want more. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from es_mappings.tokens import count_tokens
from service.packing import Packed, Surroundings, pack, render
from service.results import Hit, LeftOut, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class SideHits:
    """The hits of one side, best first, with what lies around them in the side's own scope."""

    hits: tuple[Hit, ...]
    surroundings: Surroundings | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedSides:
    """The passages of all sides, numbered through in the order of the sides, and the numbers of each side."""

    packed: Packed
    numbers: tuple[tuple[int, ...], ...]


def pack_sides(sides: Sequence[SideHits], budget: int) -> PackedSides:
    """Pack each side; `budget` tokens for all. A text that two sides share is packed for the first of them."""
    left, given = budget, []
    for place, side in enumerate(sides):
        given.append(pack(side.hits, left // (len(sides) - place), side.surroundings))
        left -= given[-1].used
    for place, side in enumerate(sides):
        if left > 0 and any(item.reason == "over_budget" for item in given[place].left_out):
            more = pack(side.hits, given[place].used + left, side.surroundings)
            if more.used > given[place].used:
                left -= more.used - given[place].used
                given[place] = more
    return _numbered(given)


def _numbered(given: Sequence[Packed]) -> PackedSides:
    passages: list[Passage] = []
    numbers: list[tuple[int, ...]] = []
    left_out: list[LeftOut] = []
    seen: dict[tuple[str, ...], int] = {}
    for packed in given:
        mine = []
        for passage in packed.passages:
            if passage.ids not in seen:
                n = len(passages) + 1
                seen[passage.ids] = n
                passages.append(replace(passage, n=n, tokens=count_tokens(render(n, passage.heading, passage.content))))
            mine.append(seen[passage.ids])
        numbers.append(tuple(mine))
        left_out += packed.left_out
    inside = {id_ for passage in passages for id_ in passage.ids}
    kept = tuple({item.id: item for item in left_out if item.id not in inside}.values())
    whole = Packed(passages=tuple(passages), left_out=kept, used=sum(passage.tokens for passage in passages))
    return PackedSides(packed=whole, numbers=tuple(numbers))
