"""How well references are found: `./scripts/bench references [--verbose]` (passages drawn with a seed, labelled by hand)."""

from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _references import LABELS, Result, score

from ingest.cleaning import clean_reading
from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.outline import build_outline

DOCUMENTS = {
    "rust-book-en": "md/rust-book-en",
    "rust-book-zh": "md/rust-book-zh",
    "en-sec-regbi-proposed-408p": "pdf/en-sec-regbi-proposed-408p.pdf",
}


def main() -> None:
    """Print the table and keep it in docs/benchmarks.md."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--verbose", action="store_true", help="name what was missed and what is wrong")
    options = parser.parse_args()
    results: list[tuple[str, Result]] = []
    for name, place in DOCUMENTS.items():
        path = options.data / place
        if not path.exists():
            print(f"left out: {place} is not there")
            continue
        reading = clean_reading(choose_reader(take_sample(path, 10**9)).read(path, ReadOptions()))
        results.append((name, score(build_outline(reading, path.stem), LABELS / f"{name}.json")))
        if options.verbose:
            print("\n".join(f"missed {row}" for row in results[-1][1].missed), *(f"wrong {row}" for row in results[-1][1].wrong), sep="\n")
    if not results:
        return
    rows: list[list[object]] = [[name, r.passages, r.lost, r.labelled, r.found, r.precision, r.recall] for name, r in results]
    found, labelled = sum(r.found for _, r in results), sum(r.labelled for _, r in results)
    precision, recall = sum(r.right for _, r in results) / max(1, found), sum(r.hits for _, r in results) / max(1, labelled)
    rows += [["all", "", "", labelled, found, precision, recall], ["to reach", "", "", "", "", 0.95, 0.85]]
    table = markdown(["references", "passages", "not found again", "labelled", "found", "precision", "recall"], rows)
    print(machine(), table, sep="\n")
    if len(results) == len(DOCUMENTS):
        keep("references", f"{machine()}\n\n{table}")


if __name__ == "__main__":
    main()
