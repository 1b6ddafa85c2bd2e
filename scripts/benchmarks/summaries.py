"""Summaries in figures: `./scripts/bench summaries [PART]...`. Calls are counted at a scripted endpoint on this machine.

Parts: calls told and made for generated and real documents, failures, parallel calls, kills, planted facts found by the checks and
those kept by position, search beside summaries, many sections, and stories against what people wrote about them (`--model-stories N`
adds a tiny real model on the first N).
"""

import argparse
from collections.abc import Callable

from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _summary_calls import calls, failures, kills, parallel
from _summary_quality import checks, kept_by_position, stories
from _summary_scale import scale
from _summary_search import ranking

Rows = list[list[object]]


def main() -> None:
    """Print the tables and keep each in docs/benchmarks.md."""
    parser = arguments(__doc__ or "")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=f"only these: {', '.join(PARTS)}")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--model-stories", type=int, default=0, help="stories for the tiny real model (about a minute each)")
    options = parser.parse_args()
    for name in options.parts or PARTS:
        header, measure, to_reach = PARTS[name]
        text = markdown(header, [*measure(options), *to_reach])
        if name == "positions":
            text += "\n![Which of 40 planted facts each way keeps, by position](kept-facts.svg)\n\n"
            text += (kept_by_position.__doc__ or "").split("\n\n")[1].replace("\n    ", " ").strip()
        print(text, flush=True)
        keep(f"summaries: {name}", f"{machine()}\n\n{text}")


PARTS: dict[str, tuple[list[str], Callable[[argparse.Namespace], Rows], Rows]] = {
    "calls": (
        ["document", "tokens", "sections", "calls told", "calls made", "second run", "one paragraph changed", "share covered"],
        lambda options: calls(options.data),
        [],
    ),
    "failures": (["sections", "failed", "named as missing", "calls of the next run", "share", "share then"], lambda _: failures(), []),
    "parallel": (["calls in flight", "calls", "seconds", "times as fast"], lambda _: parallel(), [["to reach", "", "", "6"]]),
    "kills": (
        ["kills", "calls needed", "calls made", "made twice", "stored ones repeated", "tree identical"],
        lambda options: kills(options.kills),
        [],
    ),
    "checks": (["planted facts", "check", "precision", "recall"], lambda _: checks(), [["to reach", "", 0.95, 0.95]]),
    "positions": (["planted facts kept, sections", "1-10", "11-20", "21-30", "31-40", "all", "calls"], lambda _: kept_by_position(), []),
    "search": (
        ["questions", "number", "summaries", "hit@1 without", "hit@1 with", "move", "first hits that changed"],
        lambda options: ranking(options.data),
        [["to reach", "", "", "", "", "at most 0.002", ""]],
    ),
    "scale": (
        [
            "sections",
            "tokens",
            "told, s",
            "made and stored, s",
            "a section, ms",
            "again, s",
            "read back, s",
            "without one, s",
            "memory at most, MB",
        ],
        lambda _: scale(),
        [],
    ),
    "stories": (
        ["SQuALITY plots in 500 tokens", "stories", "ROUGE-1", "ROUGE-2", "ROUGE-L"],
        lambda options: stories(options.data, options.model_stories),
        [],
    ),
}


if __name__ == "__main__":
    main()
