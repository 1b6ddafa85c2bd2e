"""How well headings are found: `./scripts/bench structure [--only NAME] [--without KIND,...] [--peers PEER,...|none]`.

Bookmarks are true but incomplete, so against them only recall counts; precision (and F1 beside the peers) is judged on the pages that
were labelled by hand (tests/labels/README.md). Peers run in .venv-peers, which is made when needed; what they found is kept in .cache.
"""

import json
import re
import resource
import statistics
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _outlines import LABELS, Outlined, Row, Score, Scorer, load_scorer, outlined, read_labels
from _pdf_rows import LEFT_OUT, evidence_row, table_rows
from _peers import PEERS, peer_outline

ALCE = "en-ALCE-2col-23p"
LYING = "en-mistitled_outlines"
KINDS = ("bookmarks", "contents", "numbering", "fonts", "spacing", "tables")
LARGEST = "en-sec-regbi-proposed-408p"
_PEER_NOTE = """F1 / share of the gold on its right level / right parent / seconds. Docx and the two-column paper against complete gold,
other PDFs on the labelled pages. Seconds of peers are wall-clock with start-up, each file in a process of its own; ours are of one core."""


def main() -> None:
    """Print the tables and keep them in docs/benchmarks.md when nothing was left out."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--only", default="", help="part of the file names")
    parser.add_argument("--without", default="bookmarks", help="evidence that PDFs are read a second time without: " + ", ".join(KINDS))
    parser.add_argument("--peers", default=",".join(PEERS), help="peers to compare with, comma-separated, or none")
    parser.add_argument("--peer-pages", type=int, default=1_000, help="leave peers out on files with more pages")
    parser.add_argument("--memory", type=Path, help="only read this file and print the peak memory in MB")
    options = parser.parse_args()
    if options.memory:
        print(peak_memory(options.memory))
        return
    module = load_scorer(options.data)
    if module is None:
        print("left out: ../shared/measure/score_outline.py is not there")
        return
    bench = Bench(options, Scorer(module))
    parts = [machine(), bench.bookmarked(), bench.evidence(), bench.tables(), bench.whole(), bench.peers(), bench.speed()]
    text = "\n".join(part for part in parts if part)
    print(text)
    if not options.only and options.without == "bookmarks":
        keep("structure", text)


class Bench:
    """The tables; each file is read once a kind of evidence."""

    def __init__(self, options: Namespace, scorer: Scorer) -> None:
        self._options = options
        self._data: Path = options.data
        self._scorer = scorer
        self._read: dict[tuple[Path, str], Outlined] = {}

    def bookmarked(self) -> str:
        """Recall of the bookmarks, precision on labelled pages, both without bookmarks, too."""
        rows = [row for path in self._files("pdf", ".pdf") if (row := self._bookmark_row(path))]
        if not rows:
            return ""
        header = ["PDF", "pages", "headings", "recall of bookmarks", "precision (labelled)", "recall (labelled)"]
        header += [
            f"without {self._options.without}: headings",
            "recall of bookmarks",
            "precision (labelled)",
            "recall (labelled)",
            "right parent",
        ]
        header += ["says that bookmarks lie"]
        target = ["to reach", "", "", 0.98, 0.92, "", "", 0.9, 0.9, "", 0.85, ""]
        return markdown(header, [*rows, _means(rows, skip=(1, 2, 6)), target])

    def _bookmark_row(self, path: Path) -> list[object]:
        labels, gold = read_labels(path.stem), self._gold(path)
        if labels is None:
            return []
        ours, bare = self._ours(path), self._ours(path, self._options.without)
        row: list[object] = [path.stem, ours.pages]
        for found in (ours, bare):
            marked = self._scorer.whole(gold, found.rows) if gold else None
            labelled = self._scorer.on_pages(labels, found.rows)
            row += [len(found.rows), marked.recall if marked else "-", labelled.precision, labelled.recall]
            row += [marked.parents if marked else "-"] if found is bare else []
        doubted = any("bookmark" in warning for warning in ours.warnings)
        return [*row, "yes" if doubted else "no" if path.stem == LYING else ""]

    def evidence(self) -> str:
        """What each kind of evidence is worth: means over the PDFs with bookmarks when it is left out."""
        paths = [path for path in self._files("pdf", ".pdf") if self._gold(path)]
        if not paths or self._options.only:
            return ""
        rows = [evidence_row(kind, self._scorer, [(path, self._gold(path), self._ours(path, kind)) for path in paths]) for kind in LEFT_OUT]
        return markdown(["evidence left out", "recall of bookmarks", "right parent", "precision (labelled)", "recall (labelled)"], rows)

    def tables(self) -> str:
        """Recall of labelled tables and false ones."""
        return table_rows(self._files("pdf", ".pdf"))

    def whole(self) -> str:
        """Files whose gold is complete: the two-column paper and every Word file, levels and numbers as well."""
        rows: list[list[object]] = []
        for path in [*self._files("pdf", f"{ALCE}.pdf"), *self._files("docx", ".docx")]:
            gold, numbers = self._complete(path)
            if not gold:
                continue
            ours = self._ours(path)
            score = self._scorer.whole(gold, ours.rows)
            same = self._scorer.aligned(gold, ours.rows)
            numbered = sum(numbers[a] == ours.numbers[b] for a, b in same) / len(gold) if numbers else "-"
            rows.append([path.name, len(gold), len(ours.rows), score.f1, score.levels, numbered, score.parents])
        if not rows:
            return ""
        header = ["complete gold", "headings", "found", "F1", "levels", "numbers", "right parent"]
        return markdown(header, [*rows, ["to reach (PDF / docx)", "", "", "0.90 / 1.00", "1.00", "1.00", ""]])

    def peers(self) -> str:
        """F1, levels and right parents of all programs on the same files."""
        chosen = [peer for peer in self._options.peers.split(",") if peer in PEERS]
        rows: list[list[object]] = []
        for path in [*self._files("pdf", ".pdf"), *self._files("docx", ".docx")]:
            judge = self._judge(path)
            ours = self._ours(path)
            if judge is None or not chosen or (ours.pages or 0) > self._options.peer_pages:
                continue
            cells: list[object] = [path.name, _cell(judge(ours.rows), ours.seconds)]
            cells.append(_cell(judge((bare := self._ours(path, "bookmarks")).rows), bare.seconds) if path.suffix == ".pdf" else "")
            for peer in chosen:
                if peer == "bookmarks" and path.suffix != ".pdf":
                    cells.append("")
                    continue
                found = peer_outline(peer, path)
                cells.append(found.failure or _cell(judge(found.rows), found.seconds))
            rows.append(cells)
        if not rows:
            return ""
        names = [PEERS[peer] for peer in chosen]
        return f"{_PEER_NOTE}\n\n" + markdown(["file", "sectionary", "sectionary without bookmarks", *names], rows)

    def speed(self) -> str:
        """Pages a second of reading and outlining with default settings on one core (processor time), and memory on the largest file."""
        rows: list[list[object]] = []
        for path in self._files("pdf", ".pdf"):
            # Read again: the first file of a run pays for loading the libraries.
            ours = outlined(path)
            if not ours.pages or ours.pages < 20:
                continue
            memory = ""
            if path.stem == LARGEST:
                command = [sys.executable, __file__, "--memory", str(path)]
                memory = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            rows.append([path.stem, ours.pages, ours.pages / ours.seconds, memory])
        return (
            markdown(["default settings, one core", "pages", "pages/s", "peak memory MB"], [*rows, ["to reach", "", 100, 500]])
            if rows
            else ""
        )

    def _files(self, folder: str, ending: str) -> list[Path]:
        paths = sorted((self._data / folder).glob(f"*{ending}"), key=lambda path: path.name)
        return [path for path in paths if self._options.only in path.name and not path.name.startswith("scan")]

    def _ours(self, path: Path, without: str = "") -> Outlined:
        if (path, without) not in self._read:
            self._read[path, without] = outlined(path, without.split(",") if without else [])
        return self._read[path, without]

    def _gold(self, path: Path) -> Sequence[Row]:
        kept = self._data / "gold-outline" / f"{path.name.removesuffix('.pdf')}.json"
        return self._scorer.gold_of(kept) if kept.exists() else []

    def _complete(self, path: Path) -> tuple[Sequence[Row], Sequence[str | None]]:
        """Complete gold and its numbers (none where nobody labelled them)."""
        if path.suffix == ".pdf":
            kept = self._data / "gold-outline" / f"{path.stem}.handmade.json"
            return (self._scorer.gold_of(kept), ()) if kept.exists() else ((), ())
        labels = LABELS / "docx" / f"{path.name}.json"
        if labels.exists():
            found = json.loads(labels.read_text())
            return [(row["level"], row["title"], None) for row in found], [row["number"] for row in found]
        gold = self._gold(path)
        return gold, [_typed_number(title) for _, title, _ in gold]

    def _judge(self, path: Path) -> Callable[[Sequence[Row]], Score] | None:
        """How a file's headings are judged: against its complete gold, or on its labelled pages."""
        labels = read_labels(path.stem)
        if labels is not None and path.suffix == ".pdf":
            return lambda found: self._scorer.on_pages(labels, found)
        gold, _ = self._complete(path)
        return (lambda found: self._scorer.whole(gold, found)) if gold else None


def peak_memory(path: Path) -> int:
    """The most memory in MB that this process needs to read a file and build its outline."""
    outlined(path)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _typed_number(title: str) -> str | None:
    """The number that a handbook types before its titles: "CHAPTER 3", "B.", "2."."""
    found = re.match(r"CHAPTER \d+|[A-Z](?=\.)|\d+(?=\.)", title.strip())
    return found[0] if found else None


def _cell(score: Score, seconds: float) -> str:
    return f"{score.f1:.2f} / {score.levels:.2f} / {score.parents:.2f} / {seconds:.1f}"


def _means(rows: Sequence[Sequence[object]], skip: Sequence[int]) -> list[object]:
    cells: list[object] = ["mean"]
    for column in range(1, len(rows[0])):
        values = [row[column] for row in rows if isinstance(row[column], float)]
        cells.append("" if column in skip or not values else statistics.mean(values))
    return cells


if __name__ == "__main__":
    main()
