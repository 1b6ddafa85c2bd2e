"""The two ways to search the tree beside each other: `./scripts/bench strategies [SET]... [--embedder use]`.

Collapsed ranks all passages together; traversal goes down level by level, by titles alone or by the summaries (extracts) of every
section. Same index, embedder and budget. The automatic choice of service/strategies.py follows the table in docs/benchmarks.md.
"""

from dataclasses import dataclass

from _answer_ours import Ours, open_ours
from _answer_sets import SETS, AnswerSet, Asked, load_set
from _answer_systems import Scores, score
from _kept_tables import keep
from _kept_vectors import KeptVectors
from _measuring import arguments, machine, markdown

from service.strategies import STRATEGIES

# One fact in one place, and questions that draw on several places of a long text.
LOCAL, ACROSS = ("cmrc", "policyqa", "chroma", "rust"), ("qasper", "quality")
CHUNK_TOKENS = 512
# Of long sets every n-th question, so that all of their documents are asked about.
MOST_QUESTIONS = 300
HEADER = ("set", "asks for", "nodes with text", "strategy", "questions", "hit@1", "hit@5 or @10", "share in budget")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    tested: str
    asks: str
    nodes: str
    strategy: str
    scores: Scores


def main() -> None:
    """Measure and keep the table."""
    parser = arguments(__doc__ or "")
    parser.add_argument("sets", nargs="*", metavar="SET", choices=[*SETS, []], help=f"only these: {', '.join(LOCAL + ACROSS)}")
    parser.add_argument("--embedder", default="use", help="use or e5")
    options = parser.parse_args()
    embedder = KeptVectors(options.embedder)
    for name in options.sets or (*LOCAL, *ACROSS):
        tested = load_set(name, options.data)
        asked = tested.report[:: max(1, -(-len(tested.report) // MOST_QUESTIONS))]
        rows: list[Row] = []
        for summaries in (False, True):
            with open_ours(tested, embedder, options.embedder, CHUNK_TOKENS, summaries=summaries) as ours:
                rows += [_measured(tested, asked, ours, strategy, summaries=summaries) for strategy in STRATEGIES]
        text = markdown(HEADER, [_cells(row) for row in rows])
        print(text, flush=True)
        keep(f"strategies: {name}", f"{machine()}\n\n{text}")


def _measured(tested: AnswerSet, asked: tuple[Asked, ...], ours: Ours, strategy: str, *, summaries: bool) -> Row:
    if tested.hits:
        found = [ours.found(one, "fused", max(tested.hits), strategy) for one in asked]
    else:
        found = [ours.packed(one, "fused", tested.budget, strategy) for one in asked]
    asks = "one place" if tested.name in LOCAL else "several places"
    nodes = "chunks and summaries" if summaries else "chunks"
    return Row(tested=tested.name, asks=asks, nodes=nodes, strategy=strategy, scores=score(tested, asked, found))


def _cells(row: Row) -> list[object]:
    hits = [f"{value:.3f}" for _, value in sorted(row.scores.hit.items())] or ["", ""]
    share = "" if row.scores.share is None else f"{row.scores.share:.3f}"
    return [row.tested, row.asks, row.nodes, row.strategy, row.scores.questions, *hits, share]


if __name__ == "__main__":
    main()
