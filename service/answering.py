"""The flow of an answer: search, judge the evidence, pack it, ask the model or quote, check every citation."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import EmbedderUnavailable
from es_mappings.index import Index
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.chat import Chat, Reply
from ingest.embedding import Embedder
from service.abstention import THRESHOLD, calibration_for, confidence_of, unanswerable_logits
from service.citations import check, cite
from service.extractive import Sentence, best_sentences, leading_sentences
from service.packing import Packed, pack
from service.prompting import answer_messages, is_declined, passage_room
from service.results import AnswerResult, Mode, Reason, SearchResult, SectionView, Tokens
from service.scope import Scope
from service.searching import Searcher, SearchRequest
from service.signals import SectionPlace
from service.surroundings import StoredSurroundings
from service.wording import nothing_found

# Hits that compete for the budget; a caller's `size` asks for fewer or more.
CANDIDATE_HITS = 24
Event = tuple[str, Any]
"""("passages", {...}), ("delta", text), ("done", the whole reply of the contract); "done" comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """A question with the places to look in (as for a search) and the most tokens of evidence, None for the setting's."""

    search: SearchRequest
    budget: int | None = None


class Answerer:
    """Answers from one index; safe to use from several threads. Without a model the answers are quotations."""

    def __init__(
        self, *, index: Index, access: AccessRegistry, embedder: Embedder, searcher: Searcher, chat: Chat | None, settings: Settings
    ) -> None:
        self._index = index
        self._access = access
        self._embedder = embedder
        self._searcher = searcher
        self._chat = chat
        self._settings = settings

    def answer(self, request: AnswerRequest, reader: Reader) -> AnswerResult:
        """The whole answer. Raises IndexUnavailable, IndexRefused, and, with a model, ModelUnavailable, DeadlineExceeded, Overloaded."""
        stream = self.stream(request, reader)
        while True:
            try:
                next(stream)
            except StopIteration as end:
                return _as_answer(end.value)

    def events(self, request: AnswerRequest, reader: Reader) -> Iterator[Event]:
        """The answer as events; raises like `answer`, at the latest before "done"."""
        result = yield from self.stream(request, reader)
        yield "done", result.as_json()

    def stream(self, request: AnswerRequest, reader: Reader) -> Generator[Event, None, AnswerResult]:
        """The events before "done"; returns the result. A model's text goes out as it comes, its citations are checked at the end."""
        question = request.search.query
        mode: Mode = "llm" if self._chat else "extractive"
        budget = self._budget(request)
        found = self._searcher.search(replace(request.search, size=max(CANDIDATE_HITS, request.search.size)), reader)
        text = found.intent.text
        logits = unanswerable_logits(text, found.hits, calibration_for(self._embedder.name)) if text else None
        confidence = None if logits is None else round(confidence_of(logits), 4)
        empty = AnswerResult(
            answer="", abstained=False, reason=None, mode=mode, intent=found.intent, tokens=Tokens(budget=budget),
            nearest=found.nearest, confidence=confidence, degraded=found.degraded,
        )  # fmt: skip
        reason = found.reason or _too_weak(found, logits)
        if reason:
            return _abstained(empty, question, reason)
        packed = pack(found.hits, budget, self._surroundings(request, reader, found))
        packed_so_far = replace(empty, passages=packed.passages, left_out=packed.left_out, tokens=Tokens(budget=budget, used=packed.used))
        if not packed.passages:
            return _abstained(packed_so_far, question, "no_match")
        yield "passages", {"passages": [passage.as_json() for passage in packed.passages], "intent": found.intent.as_json()}
        if self._chat is None:
            result = self._quoted(packed_so_far, packed, text)
            yield "delta", result.answer
            return result
        return (yield from self._said(self._chat, packed_so_far, packed, question))

    def _budget(self, request: AnswerRequest) -> int:
        """Tokens for passages: what is asked, at most what the model's window leaves beside instructions, question and answer."""
        asked = request.budget or self._settings.budget_tokens
        if self._chat is None:
            return asked
        settings = self._settings
        return min(asked, passage_room(request.search.query, window=settings.llm_window, answer_tokens=settings.llm_answer_tokens))

    def _surroundings(self, request: AnswerRequest, reader: Reader, found: SearchResult) -> StoredSurroundings:
        """What may be read around the hits: never outside the sections that were asked for, nor inside those left out."""
        is_filter = bool(request.search.sections) or found.intent.kind != "reference"
        inside = places_of(found.intent.sections) if is_filter and found.intent.sections else None
        scope = Scope(
            access=self._access.keys_for(reader),
            collection=request.search.collection,
            places=inside,
            without_places=places_of(found.intent.excluded),
        )
        return StoredSurroundings(self._index, scope)

    def _quoted(self, result: AnswerResult, packed: Packed, question: str) -> AnswerResult:
        """The best sentences, verbatim, each with its citation; of a place or an overview, how its passages begin."""
        if not question or result.intent.kind == "overview":
            best = leading_sentences(packed.passages)
        else:
            best = self._best_sentences(question, packed)
        if not best:
            return _abstained(result, result.intent.text, "below_threshold")
        by_number = {passage.n: passage for passage in packed.passages}
        return replace(
            result,
            answer="\n".join(f"{sentence.text} [{sentence.n}]" for sentence in best),
            citations=tuple(cite(by_number[sentence.n], sentence.text) for sentence in best),
        )

    def _best_sentences(self, question: str, packed: Packed) -> tuple[Sentence, ...]:
        try:
            return best_sentences(question, packed.passages, self._embedder.embed_passages, self._embedder.embed_query(question))
        except EmbedderUnavailable:
            return best_sentences(question, packed.passages, None, None)

    def _said(self, chat: Chat, result: AnswerResult, packed: Packed, question: str) -> Generator[Event, None, AnswerResult]:
        """The model's answer, streamed, then checked."""
        messages = answer_messages(question, packed.passages)
        reply = yield from _deltas(chat.stream(messages, self._settings.llm_answer_tokens))
        tokens = replace(result.tokens, prompt=sum(count_tokens(message.content) for message in messages), answer=count_tokens(reply.text))
        if is_declined(reply.text):
            return _abstained(replace(result, tokens=tokens), question, "model_declined")
        checked = check(reply.text, packed.passages)
        return replace(result, answer=checked.text, citations=checked.citations, unsupported=checked.unsupported, tokens=tokens)


def places_of(sections: Sequence[SectionView]) -> tuple[SectionPlace, ...]:
    """The places of resolved sections."""
    return tuple(SectionPlace(doc_id=section.doc_id, key=section.section_key) for section in sections)


def _deltas(stream: Generator[str, None, Reply]) -> Generator[Event, None, Reply]:
    """The pieces of a reply as events; the beginning is held back until it cannot be the word for declining any more."""
    held = ""
    is_open = False
    while True:
        try:
            piece = next(stream)
        except StopIteration as end:
            reply: Reply = end.value
            if not is_open and not is_declined(reply.text):
                yield "delta", held
            return reply
        held += piece
        if is_open:
            yield "delta", piece
        elif len(held.strip()) > 24 or not _may_decline(held):
            is_open = True
            yield "delta", held


def _may_decline(text: str) -> bool:
    start = text.strip().strip("*`\"'.[]() \n").upper().replace(" ", "_")
    return "NOT_IN_DOCUMENTS".startswith(start)


def _too_weak(found: SearchResult, logits: float | None) -> Reason | None:
    """Overviews and comparisons are judged by their place, not by their words."""
    if logits is None or found.intent.kind in ("overview", "comparison", "reference"):
        return None
    return "below_threshold" if logits > THRESHOLD else None


def _abstained(result: AnswerResult, question: str, reason: Reason) -> AnswerResult:
    return replace(result, answer=nothing_found(question, reason), abstained=True, reason=reason, citations=(), unsupported=())


def _as_answer(value: object) -> AnswerResult:
    assert isinstance(value, AnswerResult)
    return value
