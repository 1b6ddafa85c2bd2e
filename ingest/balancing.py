"""Which atoms go into one chunk: the division of least cost, as paragraphs are broken into lines by Knuth and Plass (1981). Pure.

The cost of a chunk is its squared relative shortage, so few chunks of even size win over full ones with a tiny rest, plus
the cost of the border where it begins. Linear in the number of atoms for a given budget.
"""

from collections.abc import Sequence

from ingest.splitting import Atom

_EACH_CHUNK = 0.05


def divide(atoms: Sequence[Atom], budget: int) -> list[tuple[int, int]]:
    """Ranges (first, last + 1) of atoms, in order and without gaps, each of at most `budget` tokens by the sum of its atoms.

    An atom that is over the budget by itself stands alone.
    """
    best = [0.0]
    begins = [0]
    for last in range(len(atoms)):
        size = 0
        lowest, begin = float("inf"), last
        for first in range(last, -1, -1):
            size += atoms[first].tokens
            whole = size + atoms[first].header_tokens
            if whole > budget and first < last:
                if size > budget:
                    break
                continue  # only the repeated header is too much: an earlier begin may do without it
            shortage = max(0.0, 1 - whole / budget)
            cost = best[first] + _EACH_CHUNK + atoms[first].cut + shortage * shortage
            if cost < lowest:
                lowest, begin = cost, first
        best.append(lowest)
        begins.append(begin)
    ranges = []
    end = len(atoms)
    while end > 0:
        ranges.append((begins[end], end))
        end = begins[end]
    return ranges[::-1]
