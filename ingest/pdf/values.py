"""What the parts of the PDF reader pass to each other. Coordinates are points from the page's top left, y downwards."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Style:
    """How a run of characters looks. `size` in points, `color` as 0xRRGGBB. Instances are shared: compare with `is` or `==`."""

    family: str
    size: float
    bold: bool
    italic: bool
    mono: bool
    color: int


class Run(NamedTuple):
    """Neighbouring characters of one style; `raised` marks superscripts."""

    text: str
    style: Style
    raised: bool
    x0: float
    x1: float


class Fragment(NamedTuple):
    """Text on one baseline without a wide gap, as MuPDF gives it. A named tuple because a book has 100,000 of them.

    `tag` is the name of the tagged-PDF element around it ("H1", "TD", "Note" ...) or "". `style` is that of most characters.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    text: str
    style: Style
    runs: tuple[Run, ...]
    tag: str


class Rule(NamedTuple):
    """A drawn rectangle or line; `thin` in one direction when it separates or underlines."""

    x0: float
    y0: float
    x1: float
    y1: float
    color: int
    filled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """One page as extracted: fragments in content order.

    `hidden_characters` counts those left out because nobody can see them, `sideways` are lines that run across the reading
    direction, `is_scan` says that the text was recognised in a picture.
    """

    number: int
    width: float
    height: float
    fragments: tuple[Fragment, ...]
    rules: tuple[Rule, ...] = ()
    hidden_characters: int = 0
    sideways: tuple[str, ...] = ()
    is_scan: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a column. `left` and `right` are the column's edges; `cells` are its fragments, more than one where gaps are wide.

    `underlined` says that rules run below the whole line; `underline` is the x where one ends that runs below its first words, else 0.
    """

    page: int
    column: int
    left: float
    right: float
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    text: str
    style: Style
    runs: tuple[Run, ...]
    cells: tuple[Fragment, ...]
    tag: str = ""
    underlined: bool = False
    underline: float = 0.0

    @property
    def width(self) -> float:
        return self.x1 - self.x0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLines:
    """A page's lines in reading order, without its running heads and page numbers (`furniture`)."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    furniture: tuple[Fragment, ...] = ()
    rules: tuple[Rule, ...] = ()
    columns: int = 1
