"""Headings that we find, gold and labels to hold them against, and the scorer that lies beside the shared data."""

import importlib.util
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from types import ModuleType

from ingest.cleaning import clean_reading
from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.outline import build_outline, repaired_levels

LABELS = Path(__file__).parents[2] / "tests" / "labels"

Row = tuple[int, str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """What we make of a file: (level, title, page) and number of each heading, processor seconds on one core."""

    rows: tuple[Row, ...]
    numbers: tuple[str | None, ...]
    pages: int | None
    seconds: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Every heading on some pages, labelled by hand; finding an optional one is neither right nor wrong."""

    pages: frozenset[int]
    rows: tuple[Row, ...]
    optional: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Shares in 0..1: `levels` of the gold that was found on its level, `parents` of the matched headings that hang where it has them."""

    precision: float
    recall: float
    f1: float
    levels: float
    parents: float


def outlined(path: Path, without: Sequence[str] = ()) -> Outlined:
    """Read a file and build its outline on one core; other work on the machine does not count in its seconds."""
    options = ReadOptions(without=frozenset(without))
    affinity = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(affinity)})
    began = time.process_time()
    try:
        outline = build_outline(clean_reading(choose_reader(take_sample(path, 10**9)).read(path, options)), path.stem)
    finally:
        os.sched_setaffinity(0, affinity)
    sections = outline.sections[1:]
    return Outlined(
        rows=tuple((section.level, section.title, section.page) for section in sections),
        numbers=tuple(section.number for section in sections),
        pages=outline.pages,
        seconds=time.process_time() - began,
        warnings=outline.warnings,
    )


def load_scorer(data: Path) -> ModuleType | None:
    """score_outline.py from the folder beside the shared data; None where it is missing."""
    path = data.parent / "measure" / "score_outline.py"
    spec = importlib.util.spec_from_file_location("score_outline", path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_labels(name: str) -> Labels | None:
    """The hand labels of a PDF by its name without suffix."""
    path = LABELS / "pdf" / f"{name}.json"
    if not path.exists():
        return None
    kept = json.loads(path.read_text())
    rows = {
        flag: tuple((h["level"], h["title"], h["page"]) for h in kept["headings"] if h.get("optional", False) is flag)
        for flag in (False, True)
    }
    return Labels(pages=frozenset(kept["pages"]), rows=rows[False], optional=rows[True])


class Scorer:
    """The shared scorer's rules for what is the same heading, applied to whole outlines and to labelled pages."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self.gold_of: Callable[[Path], list[Row]] = module.gold_of

    def whole(self, gold: Sequence[Row], found: Sequence[Row]) -> Score:
        """All headings found against all of the gold; gaps in the levels of both are closed, so that only their order counts."""
        _, _, precision, recall, f1, parents = self._module.score(list(gold), list(found))
        wanted, given = (repaired_levels([level for level, _, _ in rows]) for rows in (gold, found))
        levels = sum(wanted[a] == given[b] for a, b in self.aligned(gold, found)) / max(1, len(gold))
        return Score(precision=precision, recall=recall, f1=f1, levels=levels, parents=parents)

    def on_pages(self, labels: Labels, found: Sequence[Row]) -> Score:
        """The headings found on labelled pages against the labels there; without any on either side all is right."""
        key = self._module.key
        optional = [(key(title), page) for _, title, page in labels.optional]
        kept = []
        for row in found:
            if row[2] not in labels.pages:
                continue
            if (key(row[1]), row[2]) in optional:
                optional.remove((key(row[1]), row[2]))
            else:
                kept.append(row)
        if not kept and not labels.rows:
            return Score(precision=1.0, recall=1.0, f1=1.0, levels=1.0, parents=1.0)
        return self.whole(labels.rows, kept)

    def aligned(self, gold: Sequence[Row], found: Sequence[Row]) -> list[tuple[int, int]]:
        """Places (in the gold, among those found) of the headings that are the same, in order."""
        keys = [[self._module.key(title) for _, title, _ in rows] for rows in (gold, found)]
        matches = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
        return [(match.a + n, match.b + n) for match in matches for n in range(match.size)]
