"""Answers beside other systems: `./scripts/bench answers [SET]... [--systems ours,plain,...] [--embedders use,e5]`.

Sets: cmrc, cmrc-untitled, policyqa, policyqa-named, chroma, qasper, quality, rust. All systems get the same documents, questions,
embedder, Elasticsearch and budget. What was measured is kept in .cache until the set, the system or its settings change, so a run that
was stopped goes on and tables may be filled piece by piece (ours is measured again when the code changes); `--fresh` measures all again.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from _answer_ours import MODES, PORT, open_ours
from _answer_peers import PACKAGES, PEERS, peer_answers
from _answer_sets import SETS, AnswerSet, Asked, load_set
from _answer_systems import Passage, Scores, score, within
from _kept_tables import keep
from _kept_vectors import KEPT, KeptVectors
from _measuring import arguments, machine, markdown

ROOT = Path(__file__).parents[2]
TO_REACH = {
    "cmrc": "hit@1 0.986 (fused)",
    "policyqa": "hit@10 0.78 with e5",
    "policyqa-named": "hit@10 0.76 with e5",
    "chroma": "share 0.90, the best IoU",
    "qasper": "ahead of every peer",
    "quality": "ahead of every peer",
    "rust": "hit@5 0.60 with the built-in embedder",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of a table."""

    system: str
    embedder: str
    mode: str
    scores: Scores


def main() -> None:
    """Measure what is missing, print the tables and keep them in docs/benchmarks.md."""
    parser = arguments(__doc__ or "")
    parser.add_argument("sets", nargs="*", metavar="SET", choices=[*SETS, []], help=f"only these: {', '.join(SETS)}")
    parser.add_argument("--systems", default=",".join(["ours", *PEERS]), help="of these; the rest is taken from .cache")
    parser.add_argument("--embedders", default="use", help="use, e5 or both")
    parser.add_argument("--chunks", default="512,256", help="our chunk sizes for the sets with a budget; others take the first")
    parser.add_argument("--half", default="report", choices=["dev", "report"], help="dev is what settings are chosen on")
    parser.add_argument("--most", type=int, default=800, help="questions of a set, drawn with a seed: the same for every system")
    parser.add_argument("--fresh", action="store_true", help="measure again what is in .cache")
    options = parser.parse_args()
    for name in options.sets or SETS:
        tested = _drawn(load_set(name, options.data), options.most)
        lines = [line for kind in options.embedders.split(",") for line in _lines(tested, kind, options)]
        text = _table(tested, getattr(tested, options.half), lines)
        print(text, flush=True)
        if options.half == "report":
            keep(f"answers: {name}", f"{machine()}\n\n{text}")


def _drawn(tested: AnswerSet, most: int) -> AnswerSet:
    """The set with at most so many questions in each half."""
    halves = [random.Random(6).sample(half, min(most, len(half))) for half in (tested.dev, tested.report)]
    return replace(tested, dev=tuple(halves[0]), report=tuple(halves[1]))


def _lines(tested: AnswerSet, kind: str, options: argparse.Namespace) -> Iterator[Line]:
    asked = getattr(tested, options.half)
    if not asked:
        raise SystemExit(f"{tested.name} has no {options.half} half")
    embedder = KeptVectors(kind)
    wanted = options.systems.split(",")
    sizes = [int(size) for size in options.chunks.split(",")][: None if tested.budget else 1]
    for size in sizes:
        yield from _ours(tested, asked, embedder, kind, size, measure="ours" in wanted, fresh=options.fresh)
    for peer in PEERS:
        yield from _peer(peer, tested, asked, embedder, kind, measure=peer in wanted, fresh=options.fresh)


def _ours(
    tested: AnswerSet, asked: Sequence[Asked], embedder: KeptVectors, kind: str, size: int, *, measure: bool, fresh: bool
) -> Iterator[Line]:
    system = f"Sectionary, chunks of {size}"
    path = _kept(tested, asked, kind, system, f"{size} {_code()}")
    if measure and (fresh or not path.exists()):
        lines = []
        with open_ours(tested, embedder, kind, size) as ours:
            for mode in MODES:
                if tested.hits:
                    found = [ours.found(one, mode, max(tested.hits)) for one in asked]
                else:
                    found = [ours.packed(one, mode, tested.budget) for one in asked]
                lines.append(Line(system=system, embedder=kind, mode=mode, scores=score(tested, asked, found)))
        _keep_lines(path, lines)
    yield from _kept_lines(path)


def _peer(
    peer: str, tested: AnswerSet, asked: Sequence[Asked], embedder: KeptVectors, kind: str, *, measure: bool, fresh: bool
) -> Iterator[Line]:
    path = _kept(tested, asked, kind, peer, PACKAGES)
    if measure and (fresh or not path.exists()):
        found, versions = peer_answers(peer, tested, asked, embedder, PORT)
        named = " ".join(f"{name} {version}" for name, version in versions.items() if name != "elasticsearch")
        system = named or peer
        lines = [Line(system=system, embedder=kind, mode=mode, scores=_peer_score(tested, asked, hits)) for mode, hits in found.items()]
        _keep_lines(path, lines)
    yield from _kept_lines(path)


def _peer_score(tested: AnswerSet, asked: Sequence[Asked], found: Sequence[Sequence[Passage]]) -> Scores:
    return score(tested, asked, found if tested.hits else [within(hits, tested.budget) for hits in found])


def _kept(tested: AnswerSet, asked: Sequence[Asked], kind: str, system: str, settings: str) -> Path:
    """Where the lines of a system are kept: another set, other questions or settings are another file."""
    what = json.dumps([tested.name, [source.text for source in tested.sources], [asdict(one) for one in asked], kind, system, settings])
    return KEPT / "answers" / f"{tested.name}-{kind}-{system.split(',')[0]}-{hashlib.sha256(what.encode()).hexdigest()[:12]}.json"


@cache
def _code() -> str:
    """A checksum of the product's modules: what was measured of other code is measured again."""
    files = sorted(file for package in ("es_mappings", "ingest", "service") for file in (ROOT / package).rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _keep_lines(path: Path, lines: Sequence[Line]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(line) for line in lines]))


def _kept_lines(path: Path) -> Iterator[Line]:
    for told in json.loads(path.read_text()) if path.exists() else []:
        scores = told.pop("scores")
        hit = {int(k): value for k, value in scores.pop("hit").items()}
        yield Line(**told, scores=Scores(**scores, hit=hit))


def _table(tested: AnswerSet, asked: Sequence[Asked], lines: Sequence[Line]) -> str:
    if tested.hits:
        figures = [f"hit@{k}" for k in tested.hits]
        rows = [[line.system, line.embedder, line.mode, *(f"{line.scores.hit[k]:.3f}" for k in tested.hits)] for line in lines]
    else:
        figures = [f"share of the gold in {tested.budget:,} tokens", *(["IoU"] if asked[0].gold else [])]
        rows = [
            [line.system, line.embedder, line.mode, f"{line.scores.share:.3f}", *([f"{line.scores.iou:.4f}"] if asked[0].gold else [])]
            for line in lines
        ]
    counted = lines[0].scores.questions if lines else 0
    goal = f" To reach: {TO_REACH[tested.name]}." if tested.name in TO_REACH else ""
    told = f"{tested.name}: {counted} questions, {len(tested.sources)} documents or units.{goal}"
    return f"{told}\n\n{markdown(['system', 'embedder', 'mode', *figures], rows)}"


if __name__ == "__main__":
    main()
