"""When to say that it is not in the documents: `./scripts/bench abstention` fits the model of service/abstention.py and measures it.

Unanswerable are CMRC questions without their paragraph, Chroma questions asked of the other corpora, and questions on the sample
handbooks that these do not answer (written by hand); PolicyQA's paraphrases are all answerable. One half of each set is fitted on, the
other one is reported, with the constants as they stand in the code.
"""

import json
import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from _answer_ours import COLLECTION, PORT, Ours, open_ours
from _answer_sets import Asked, load_set
from _kept_tables import keep
from _kept_vectors import KEPT, KeptVectors
from _measuring import arguments, machine, markdown
from sklearn.linear_model import LogisticRegression

from es_mappings.access import OWNER
from es_mappings.settings import read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, ingest
from ingest.sources import Source
from service.abstention import THRESHOLD, calibration_for, strength_of, unanswerable_logits
from service.fusion import script_of
from service.results import Hit
from service.searching import Searcher, SearchRequest
from service.words import question_words

SAMPLES = Path(__file__).parents[1] / "samples" / "texts"
QUESTIONS = Path(__file__).parent / "labels" / "handbook_questions.json"
HITS = 24
# Questions of each half of a set, unless asked otherwise, and how often a handwritten one counts in the fit.
MOST, HANDWRITTEN_WEIGHT = 350, 5.0
CURVE = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question with what was found for it, and whether it has an answer there."""

    tested: str
    half: str
    text: str
    hits: tuple[Hit, ...]
    is_answerable: bool
    is_scoped: bool

    @property
    def features(self) -> list[float]:
        """As the model reads them."""
        found = strength_of(question_words(self.text), self.hits)
        return [found.passage, found.sentence, found.cosine, float(script_of(self.text) == "han"), float(self.is_scoped)]


def main() -> None:
    """Fit on one half, measure the code's constants on the other."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--embedder", default="use", help="use or e5")
    parser.add_argument("--questions", type=int, default=MOST, help="most of each half of a set, drawn with a seed")
    options = parser.parse_args()
    embedder = KeptVectors(options.embedder)
    cases = [*_handbooks(embedder, options.embedder), *_sets(embedder, options.embedder, options.data, options.questions)]
    cases = [case for case in cases if case.hits and question_words(case.text)]
    names = ("passage", "sentence", "cosine", "han", "scoped")
    learned = [case for case in cases if case.half == "dev"]
    weights = [HANDWRITTEN_WEIGHT if case.tested == "handbooks" else 1.0 for case in learned]
    model = LogisticRegression(max_iter=2000).fit(
        np.array([case.features for case in learned]), [not case.is_answerable for case in learned], sample_weight=weights
    )
    fitted = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, model.coef_[0], strict=True))
    told = f"Fitted: base {model.intercept_[0]:.2f}, {fitted}."
    text = markdown(
        ["set, other half", "answerable", "unanswerable", *(f"at {point:+.1f}" for point in CURVE)], list(_rows(cases, embedder.name))
    )
    print(f"{told}\n\n{text}")
    if options.embedder == "use":
        keep("abstention", f"{machine()}\n\n{told} In each column precision / recall / share of answerable questions refused; "
             f"the threshold is {THRESHOLD:+.1f}.\n\n{text}")  # fmt: skip


def _rows(cases: Sequence[Case], embedder: str) -> Iterator[list[object]]:
    calibration = calibration_for(embedder)
    for tested in dict.fromkeys(case.tested for case in cases):
        mine = [case for case in cases if (case.tested, case.half) == (tested, "report")]
        logits = [unanswerable_logits(case.text, case.hits, calibration, is_scoped=case.is_scoped) for case in mine]
        good = [value for case, value in zip(mine, logits, strict=True) if case.is_answerable]
        bad = [value for case, value in zip(mine, logits, strict=True) if not case.is_answerable]
        yield [tested, len(good), len(bad), *(_point(good, bad, point) for point in CURVE)]


def _point(good: Sequence[float], bad: Sequence[float], threshold: float) -> str:
    refused, wrongly = sum(value > threshold for value in bad), sum(value > threshold for value in good)
    precision = f"{refused / (refused + wrongly):.3f}" if bad and refused + wrongly else "-"
    recall = f"{refused / len(bad):.3f}" if bad else "-"
    return f"{precision} / {recall} / {wrongly / max(1, len(good)):.3f}"


def _sets(embedder: KeptVectors, kind: str, data: Path, most: int) -> Iterator[Case]:
    for name in ("cmrc", "chroma", "policyqa"):
        tested = load_set(name, data)
        with open_ours(tested, embedder, kind, 512) as ours:
            for half in ("dev", "report"):
                asked = list(getattr(tested, half))
                for one in random.Random(7).sample(asked, min(most, len(asked))):
                    yield from _cases(name, half, one, ours)


def _cases(name: str, half: str, one: Asked, ours: Ours) -> Iterator[Case]:
    """The question where its answer is, and, where another place certainly has none, there."""
    others = tuple(document for group, document in ours.documents.items() if group != one.group)
    if name == "cmrc":
        gold = {ours.documents[span.source] for span in one.gold}
        hits = _found(ours, one.text, ())
        yield Case(tested=name, half=half, text=one.text, hits=hits, is_answerable=True, is_scoped=False)
        rest = tuple(hit for hit in hits if hit.doc_id not in gold)
        yield Case(tested=name, half=half, text=one.text, hits=rest, is_answerable=False, is_scoped=False)
        return
    hits = _found(ours, one.text, (ours.documents[one.group],))
    yield Case(tested=f"{name}, document named", half=half, text=one.text, hits=hits, is_answerable=True, is_scoped=True)
    if name == "chroma":
        rest = _found(ours, one.text, others)
        yield Case(tested=f"{name}, document named", half=half, text=one.text, hits=rest, is_answerable=False, is_scoped=True)
        yield Case(tested=name, half=half, text=one.text, hits=_found(ours, one.text, ()), is_answerable=True, is_scoped=False)
        yield Case(tested=name, half=half, text=one.text, hits=rest, is_answerable=False, is_scoped=False)


def _found(ours: Ours, text: str, documents: tuple[str, ...]) -> tuple[Hit, ...]:
    searcher = Searcher(index=ours.store.index, access=ours.store.access, embedder=ours.store.embedder)
    return searcher.search(SearchRequest(query=text, collection=COLLECTION, documents=documents, size=HITS), OWNER).hits


def _handbooks(embedder: KeptVectors, kind: str) -> Iterator[Case]:
    """Every second question is fitted on."""
    prefix = f"bench-{uuid.uuid4().hex[:8]}"
    settings = read_settings(
        home=KEPT / "home", node_port=PORT, node_heap_mb=1024, index_prefix=prefix, embedder=kind, summary_policy="by-hand"
    )
    with open_store(settings) as opened:
        store = replace(opened, embedder=embedder)
        try:
            for path in sorted(SAMPLES.glob("*.md")):
                ingest(Order(source=Source(path=path, name=path.name)), store)
            searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
            for number, row in enumerate(json.loads(QUESTIONS.read_text("utf-8"))):
                hits = searcher.search(SearchRequest(query=row["question"], size=HITS), OWNER).hits
                half = "dev" if number % 2 else "report"
                answerable = row["answer"] is not None
                yield Case(tested="handbooks", half=half, text=row["question"], hits=hits, is_answerable=answerable, is_scoped=False)
        finally:
            store.index.drop()


if __name__ == "__main__":
    main()
