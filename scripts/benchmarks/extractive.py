"""Answers without a model: `./scripts/bench extractive [--half dev]`: is what was asked for within the three sentences that are quoted?

CMRC: a gold answer stands in them. ExpMRC (evidence marked by people, Cui et al. 2022): every sentence that one of its markers took for
the evidence is among them. Only questions whose paragraph was packed count, because another part finds it. Beside it: the first three
sentences of the best hit.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from _answer_ours import COLLECTION, Ours, open_ours
from _answer_sets import is_report, load_set
from _kept_tables import keep
from _kept_vectors import KeptVectors
from _measuring import arguments, machine, markdown

from es_mappings.access import OWNER
from ingest.sentences import sentence_spans
from service.extractive import SENTENCES, best_sentences
from service.gathering import CANDIDATE_HITS
from service.packing import pack
from service.scope import Scope
from service.searching import Searcher, SearchRequest
from service.surroundings import StoredSurroundings

BUDGET = 4000
MOST = 300
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a paragraph, and groups of texts; all of one group have to be quoted."""

    paragraph: str
    question: str
    gold: tuple[tuple[str, ...], ...]


def main() -> None:
    """Measure, print and keep the table."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--half", default="report", choices=["dev", "report"], help="dev is what weights are chosen on")
    parser.add_argument("--questions", type=int, default=MOST, help="most of each set, drawn with a seed")
    options = parser.parse_args()
    embedder = KeptVectors("use")
    rows: list[list[object]] = []
    with open_ours(load_set("cmrc", options.data), embedder, "use", 512) as ours:
        for name, file, goal in (("CMRC dev", "cmrc2018_dev.squad.json", 0.85), ("ExpMRC", "expmrc-cmrc2018-dev.json", 0.70)):
            asked = [one for one in _asked(options.data / "qa" / file) if is_report(one.paragraph) is (options.half == "report")]
            drawn = random.Random(1).sample(asked, min(options.questions, len(asked)))
            rows.append([name, *_measured(drawn, ours, embedder), goal])
            print(rows[-1], flush=True)
    text = markdown(["set", "paragraph packed", "quoted", "first sentences of the best hit", "to reach"], rows)
    print(text)
    if options.half == "report":
        keep("extractive", f"{machine()}\n\n{text}")


def _asked(path: Path) -> Iterator[Asked]:
    """Of ExpMRC the sentences of the marked evidence, else the answers."""
    for entry in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in entry["paragraphs"]:
            for question in paragraph["qas"]:
                groups = [[text[start:end] for start, end in sentence_spans(text)] for text in question.get("evidences", ())]
                groups = groups or [[answer["text"]] for answer in question["answers"]]
                gold = tuple(tuple(_plain(text) for text in group) for group in groups if group)
                yield Asked(paragraph=paragraph["id"], question=question["question"], gold=tuple(dict.fromkeys(gold)))


def _measured(asked: Sequence[Asked], ours: Ours, embedder: KeptVectors) -> tuple[int, float, float]:
    searcher = Searcher(index=ours.store.index, access=ours.store.access, embedder=embedder)
    around = StoredSurroundings(ours.store.index, Scope(access=None, collection=COLLECTION))
    found = quoted = first = 0
    for one in asked:
        result = searcher.search(SearchRequest(query=one.question, collection=COLLECTION, size=CANDIDATE_HITS), OWNER)
        passages = pack(result.hits, BUDGET, around).passages
        gold = [passage for passage in passages if passage.hit.doc_id == ours.documents[one.paragraph]]
        if not gold:
            continue
        found += 1
        best = best_sentences(one.question, passages, embedder.embed_passages, embedder.embed_query(one.question))
        quoted += _holds([sentence.text for sentence in best], one.gold)
        top = max(passages, key=lambda passage: passage.hit.score)
        first += _holds([top.content[start:end] for start, end in sentence_spans(top.content)[:SENTENCES]], one.gold)
    return found, quoted / max(1, found), first / max(1, found)


def _holds(sentences: Sequence[str], gold: Sequence[Sequence[str]]) -> bool:
    said = _plain(" ".join(sentences))
    return any(all(text in said for text in group) for group in gold)


def _plain(text: str) -> str:
    return _SPACE.sub("", text)


if __name__ == "__main__":
    main()
