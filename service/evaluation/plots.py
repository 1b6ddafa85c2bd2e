"""Drawings of figures as inline SVG that takes the width it is given. Pure.

Positions are percentages, so that nothing is stretched; only the lines of a curve lie in a stretched drawing, with strokes that
do not scale. Words are left to the page: a drawing holds numbers alone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_TOP, _BOTTOM = 6.0, 94.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A figure at a depth (a rank, or tokens) with its interval."""

    at: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Points of one question type, by depth; `kind` is its CSS class."""

    kind: str
    points: tuple[Point, ...]
    with_band: bool = False


def whisker(value: float, low: float, high: float, kind: str, *, span: tuple[float, float] = (0.0, 1.0), zero: bool = False) -> str:
    """A dot with its interval on a line that spans `span`; `zero` draws a rule at 0."""
    first, last = span

    def x(number: float) -> str:
        return f"{100 * (min(max(number, first), last) - first) / (last - first):.2f}%"

    rule = f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="0" y2="100%"/>' if zero else ""
    return (
        f'<svg class="whisker {kind}" aria-hidden="true">{rule}<line class="track" x1="0" x2="100%" y1="50%" y2="50%"/>'
        f'<line class="interval" x1="{x(low)}" x2="{x(high)}" y1="50%" y2="50%"/><circle cx="{x(value)}" cy="50%" r="4.5"/></svg>'
    )


def curves(lines: Sequence[Curve]) -> str:
    """Curves of figures in 0..1 over depths, which are spread by their logarithm; labelled axes, a dot at each point."""
    depths = sorted({point.at for line in lines for point in line.points})

    def x(at: float) -> float:
        if len(depths) < 2:
            return 50.0
        return 2 + 96 * (math.log(at) - math.log(depths[0])) / (math.log(depths[-1]) - math.log(depths[0]))

    def y(value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * value

    grid = "".join(_grid_line(value, y(value)) for value in (0, 0.25, 0.5, 0.75, 1))
    strokes = "".join(_strokes(line, x, y) for line in lines)
    dots = "".join(
        f'<circle class="{line.kind}" cx="{x(p.at):.2f}%" cy="{y(p.value):.2f}%" r="3.5"/>' for line in lines for p in line.points
    )
    return (
        f'<svg class="curves" aria-hidden="true">{grid}'
        f'<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none">{strokes}</svg>{dots}</svg>'
        f'<div class="depths" aria-hidden="true">{"".join(_depth(at, x(at)) for at in _uncrowded(depths, x))}</div>'
    )


def stacked(shares: Sequence[tuple[str, int]]) -> str:
    """A bar of counts, each with its class, side by side."""
    whole = sum(count for _, count in shares)
    pieces, start = [], 0
    for kind, count in shares:
        pieces.append(f'<rect class="{kind}" x="{100 * start / whole:.3f}%" width="{100 * count / whole:.3f}%" height="100%"/>')
        start += count
    return f'<svg class="stacked" aria-hidden="true">{"".join(pieces)}</svg>'


def _strokes(line: Curve, x: Callable[[float], float], y: Callable[[float], float]) -> str:
    path = " ".join(f"{x(p.at):.2f},{y(p.value):.2f}" for p in line.points)
    edge = [*((p.at, p.high) for p in line.points), *((p.at, p.low) for p in reversed(line.points))]
    outline = " ".join(f"{x(at):.2f},{y(value):.2f}" for at, value in edge)
    band = f'<polygon class="band {line.kind}" points="{outline}"/>' if line.with_band else ""
    return f'{band}<polyline class="{line.kind}" points="{path}"/>'


def _grid_line(value: float, place: float) -> str:
    line = f'<line class="grid" x1="0" x2="100%" y1="{place:.2f}%" y2="{place:.2f}%"/>'
    return f'{line}<text class="scale" x="-8" y="{place:.2f}%" dy="4" text-anchor="end">{value:g}</text>'


def _uncrowded(depths: Sequence[float], x: Callable[[float], float]) -> list[float]:
    """The depths whose labels have room: the last one, and before it those at least an eighth of the width apart."""
    kept: list[float] = []
    for at in reversed(depths):
        if not kept or x(kept[-1]) - x(at) >= 12:
            kept.append(at)
    return kept[::-1]


def _depth(at: float, place: float) -> str:
    return f'<span style="left:{place:.2f}%">{at:,g}</span>' if at < 10_000 else f'<span style="left:{place:.2f}%">{at / 1000:g}k</span>'
