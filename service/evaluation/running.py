"""Ask every question of the index as a caller would, and keep what each adds to the figures."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from es_mappings.access import Reader
from es_mappings.errors import BackendError
from es_mappings.tokens import count_tokens
from service.answering import Answerer, AnswerRequest
from service.citations import cited_sentences
from service.evaluation.figures import Key, Replied, packed_of, parts_of
from service.evaluation.gold import Found, ranks_of
from service.evaluation.gold_places import Judged
from service.evaluation.grounding import is_grounded
from service.models.evaluation import Outcome
from service.packing import SUMMARY_KINDS
from service.results import AnswerResult, Hit, Passage, SearchResult
from service.searching import Searcher, SearchRequest

# When so many questions in a row fail, the back end is down and the rest would only wait for it.
FAILURES_IN_A_ROW = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """What answers, for whom, and how: `size` hits are judged as a ranking, `budget` tokens of passages go into an answer."""

    searcher: Searcher
    answerer: Answerer
    reader: Reader
    size: int
    budget: int
    strategy: str

    def outcomes(self, questions: Sequence[Judged]) -> Iterator[Outcome]:
        """The outcome of each question in order. A question that fails has an error; raises the BackendError of the fifth in a row."""
        failures = 0
        for judged in questions:
            try:
                outcome = self._asked(judged)
                failures = 0
            except BackendError as error:
                failures += 1
                outcome = _failed(judged, error.code)
                if failures == FAILURES_IN_A_ROW:
                    yield outcome
                    raise
            yield outcome

    def _asked(self, judged: Judged) -> Outcome:
        question = judged.question
        request = SearchRequest(
            query=question.text,
            collection=question.collection,
            documents=question.documents,
            size=self.size,
            strategy=self.strategy,
        )
        began = time.perf_counter()
        found = self.searcher.search(request, self.reader)
        searched = time.perf_counter()
        told = self.answerer.answer(AnswerRequest(search=request, budget=self.budget), self.reader)
        answered = time.perf_counter()
        replied = replied_of(found, told, is_overview=question.type == "overview")
        key = Key(golds=judged.golds, quotes=question.quotes, answers=question.answers, unanswerable=question.unanswerable)
        texts = {n: passage.text for n, passage in replied.passages.items()}
        return Outcome(
            id=question.id,
            line=question.line,
            type=question.type,
            question=question.text,
            unanswerable=question.unanswerable,
            error=None,
            abstained=told.abstained,
            reason=told.reason,
            ranks=list(ranks_of(judged.golds, replied.hits)),
            packed=list(packed_of(judged.golds, list(replied.passages.values()))),
            used=told.tokens.used,
            answer=told.answer,
            cited=list(replied.cited),
            unsupported=[s for s, numbers in replied.sentences if not is_grounded(s, [texts[n] for n in numbers if n in texts])],
            search_ms=round((searched - began) * 1000, 1),
            answer_ms=round((answered - searched) * 1000, 1),
            degraded=sorted({*found.degraded, *told.degraded}),
            parts=parts_of(key, replied, size=self.size, budget=self.budget),
        )


def replied_of(found: SearchResult, told: AnswerResult, *, is_overview: bool = False) -> Replied:
    """A search and an answer as the figures need them. A refusal gives no sentences: its wording is ours and claims nothing."""
    return Replied(
        hits=tuple(map(_hit, found.hits)),
        passages={passage.n: _passage(passage, is_overview=is_overview) for passage in told.passages},
        answer="" if told.abstained else told.answer,
        sentences=() if told.abstained else cited_sentences(told.answer),
        abstained=told.abstained,
    )


def _hit(hit: Hit) -> Found:
    return Found(text=hit.content, tokens=count_tokens(hit.content), section_keys=(hit.section_key,))


def _passage(passage: Passage, *, is_overview: bool) -> Found:
    keys = (passage.hit.section_key,)
    covers = keys if is_overview and passage.hit.kind in SUMMARY_KINDS else ()
    return Found(text=passage.content, tokens=passage.tokens, section_keys=keys, covers=covers)


def _failed(judged: Judged, code: str) -> Outcome:
    question = judged.question
    return Outcome(
        id=question.id, line=question.line, type=question.type, question=question.text, unanswerable=question.unanswerable, error=code,
        abstained=False, reason=None, ranks=[], packed=[], used=0, answer="", cited=[], unsupported=[], search_ms=0, answer_ms=0,
        degraded=[], parts={},
    )  # fmt: skip
