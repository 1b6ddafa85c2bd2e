"""Which questions are refused: `./scripts/bench unanswerable [--questions 300] [--embedders use,e5]`.

Questions of CMRC dev, report half, drawn with a seed, each asked twice of the whole product without a model: once of all 848 documents, and
once of all but the one that answers it. A refusal is right only the second time.
"""

import random
from collections.abc import Sequence

from _answer_ours import COLLECTION, Ours, open_ours
from _answer_sets import Asked, load_set
from _kept_tables import keep
from _kept_vectors import KeptVectors
from _measuring import arguments, machine, markdown

from es_mappings.access import OWNER
from service.answering import Answerer, AnswerRequest
from service.evaluation.intervals import Part, estimate
from service.evaluation.refusals import abstention_precision, abstention_recall, false_refusals
from service.searching import Searcher, SearchRequest

CHUNK_TOKENS = 512


def main() -> None:
    """Ask, print, keep."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--embedders", default="use", help="use, e5 or both")
    options = parser.parse_args()
    tested = load_set("cmrc", options.data)
    asked = random.Random(5).sample(tested.report, options.questions)
    rows: list[list[object]] = []
    for kind in options.embedders.split(","):
        with open_ours(tested, KeptVectors(kind), kind, CHUNK_TOKENS) as ours:
            rows.append([kind, len(asked), *_measured(ours, asked)])
    header = ["embedder", "questions, each asked twice", "abstention precision", "abstention recall", "answerable questions refused"]
    text = markdown(header, [*rows, ["to reach", "", "0.85", "0.70", ""]])
    print(text)
    keep("unanswerable", f"{machine()}\n\nCMRC dev, with and without the document that answers; 95 % intervals by bootstrap.\n\n{text}")


def _measured(ours: Ours, asked: Sequence[Asked]) -> list[str]:
    precision, recall, refused = [], [], []
    store = ours.store
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
    answerer = Answerer(
        index=store.index, access=store.access, embedder=store.embedder, searcher=searcher, chat=None, settings=store.settings
    )
    for one in asked:
        for unanswerable in (False, True):
            abstained = _abstains(answerer, ours, one, unanswerable=unanswerable)
            precision.append(abstention_precision(abstained=abstained, unanswerable=unanswerable))
            recall.append(abstention_recall(abstained=abstained, unanswerable=unanswerable))
            refused.append(false_refusals(abstained=abstained, unanswerable=unanswerable))
    return [_shown(parts) for parts in (precision, recall, refused)]


def _abstains(answerer: Answerer, ours: Ours, asked: Asked, *, unanswerable: bool) -> bool:
    gold = {ours.documents[span.source] for span in asked.gold}
    documents = tuple(doc_id for doc_id in ours.documents.values() if doc_id not in gold) if unanswerable else ()
    request = SearchRequest(query=asked.text, collection=COLLECTION, documents=documents)
    return answerer.answer(AnswerRequest(search=request), OWNER).abstained


def _shown(parts: Sequence[Part]) -> str:
    found = estimate(parts)
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})" if found else "-"


if __name__ == "__main__":
    main()
