"""The flow of an answer: rewrite a follow-up, plan, gather and judge the evidence, ask the model or quote, check every citation."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import EmbedderUnavailable
from es_mappings.index import Index
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.chat import Chat, Reply
from ingest.embedding import Embedder, Vectors
from ingest.embedding.current import one_model
from service.abstention import calibration_for, confidence_of
from service.citations import check, cite
from service.cross_references import listed, references
from service.extractive import SENTENCES, best_sentences
from service.followups import Turn
from service.fusion import script_of
from service.gathering import Gathered, Gatherer
from service.leaf_checks import doubtful
from service.planning import unplanned
from service.prompting import answer_messages, is_declined, notes_of, passage_room
from service.quoting import OVERVIEW_SENTENCES, Quoted, beginnings, compared, led, quoted, summaries_told
from service.results import AnswerResult, Citation, Mode, Reason, SideUse, SideView, Tokens
from service.rewriting import rewritten
from service.searching import Searcher, SearchRequest
from service.wording import nothing_found

Event = tuple[str, Any]
"""("passages", {...}), ("delta", text), ("done", the whole reply of the contract); "done" comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """A question with the places to look in (as for a search) and the most tokens of evidence, None for the setting's.

    `earlier` are the questions of the conversation before it, oldest first: they help to search, only the question is answered.
    """

    search: SearchRequest
    budget: int | None = None
    earlier: tuple[Turn, ...] = ()


class Answerer:
    """Answers from one index; safe to use from several threads. Without a model the answers are quotations."""

    def __init__(
        self, *, index: Index, access: AccessRegistry, embedder: Embedder, searcher: Searcher, chat: Chat | None, settings: Settings
    ) -> None:
        self._index = index
        self._embedder = embedder
        self._searcher = searcher
        self._gatherer = Gatherer(index=index, access=access, searcher=searcher, settings=settings)
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
        asked = request.search.query
        if not self._searcher.is_there():
            return _abstained(_nothing(asked), "no_match")
        search = self._standalone(request, reader)
        budget = self._budget(request, search.query)
        gathered = self._gatherer.gather(
            self._searcher.plan(search, reader), search, reader, budget, calibration_for(self._embedder.name)
        )  # fmt: skip
        result = _begun(asked, search, gathered, budget, "llm" if self._chat else "extractive")
        if gathered.reason or not gathered.packed.passages:
            return _abstained(result, gathered.reason or "no_match")
        yield "passages", {"passages": [one.as_json() for one in result.passages], "intent": result.intent.as_json()}
        told = self._told(gathered, result)
        if told is not None:
            result = self._checked(gathered, told)
            yield "delta", result.answer
            return result
        assert self._chat is not None  # without a model everything is told
        said = yield from self._said(self._chat, result, gathered)
        return self._checked(gathered, said)

    def _standalone(self, request: AnswerRequest, reader: Reader) -> SearchRequest:
        """The search, for a follow-up with the question as it would be asked alone."""
        if not request.earlier:
            return request.search
        titles = self._searcher.titles(request.search.collection, reader)
        text = rewritten(request.search.query, request.earlier, titles, self._chat)
        return replace(request.search, query=text, asked_as=request.search.query) if text else request.search

    def _budget(self, request: AnswerRequest, query: str) -> int:
        """Tokens for passages: what is asked, at most what the model's window leaves beside instructions, question and answer."""
        asked = request.budget or self._settings.budget_tokens
        if self._chat is None:
            return asked
        settings = self._settings
        words = f"{request.search.query} {query}"
        return min(asked, passage_room(words, window=settings.llm_window, answer_tokens=settings.llm_answer_tokens))

    def _told(self, gathered: Gathered, result: AnswerResult) -> AnswerResult | None:
        """The answer that needs no model: references listed, summaries as stored, or quotations; None when the model is to be asked."""
        overview, passages = gathered.overview, result.passages
        if result.intent.kind == "reference":
            found = references(self._index, gathered.scope, gathered.plan, gathered.hits, passages)
            if not found:
                return _abstained(result, "no_match")
            by_number = {one.n: one for one in passages}
            citations = tuple(cite(by_number[one.n], one.quote) for one in found)
            return replace(result, mode="extractive", answer=listed(found), citations=citations, references=found)
        if overview and not gathered.sides and any(text.is_stored for text in overview.texts) and self._needs_no_call(gathered, result):
            return _cited(replace(result, mode="summary"), summaries_told(passages))
        if self._chat is not None:
            return None
        told = self._quotations(gathered, result)
        return _cited(result, told) if told[1] else _abstained(result, "below_threshold")

    def _needs_no_call(self, gathered: Gathered, result: AnswerResult) -> bool:
        """Whether the stored text is the answer: one for each section asked for, in the question's language, and no other wish."""
        if self._chat is None:
            return True
        is_same = script_of(result.question) == script_of(result.passages[0].content)
        return gathered.overview is not None and gathered.overview.is_whole and is_same and not gathered.plan.question.has_wish

    def _quotations(self, gathered: Gathered, result: AnswerResult) -> Quoted:
        passages, text = result.passages, gathered.intent.text
        if gathered.sides:
            by_number = {one.n: one for one in passages}
            sides = [[by_number[n] for n in numbers] for numbers in gathered.sides]
            return compared(text, [_side_name(side) for side in gathered.intent.sides], sides, *self._embedding(text))
        if gathered.overview:
            return beginnings(passages)
        if not text:
            return led(passages)
        most = OVERVIEW_SENTENCES if gathered.intent.kind == "overview" else SENTENCES
        return quoted(best_sentences(text, passages, *self._embedding(text), most))

    def _embedding(self, text: str) -> tuple[Callable[[Sequence[str]], Vectors] | None, Vectors | None]:
        """How to embed sentences, and the question's vector; (None, None) without an embedder or a text."""
        if not text:
            return None, None
        try:
            embedder = one_model(self._embedder)
            return embedder.embed_passages, embedder.embed_query(text)
        except EmbedderUnavailable:
            return None, None

    def _said(self, chat: Chat, result: AnswerResult, gathered: Gathered) -> Generator[Event, None, AnswerResult]:
        """The model's answer, streamed, then checked."""
        messages = answer_messages(result.question, result.passages, notes_of(result.intent, gathered.sides, result.summaries))
        reply = yield from _deltas(chat.stream(messages, self._settings.llm_answer_tokens))
        tokens = replace(result.tokens, prompt=sum(count_tokens(message.content) for message in messages), answer=count_tokens(reply.text))
        if is_declined(reply.text):
            return _abstained(replace(result, tokens=tokens), "model_declined")
        checked = check(reply.text, result.passages)
        return replace(result, answer=checked.text, citations=checked.citations, unsupported=checked.unsupported, tokens=tokens)

    def _checked(self, gathered: Gathered, result: AnswerResult) -> AnswerResult:
        """The result with its sides, and with facts from summaries held against the text that they were made from."""
        cited = {citation.n for citation in result.citations}
        names = [side.asked for side in result.intent.sides]
        sides = tuple(
            SideUse(asked=name, passages=numbers, is_cited=not cited.isdisjoint(numbers))
            for name, numbers in zip(names, gathered.sides, strict=bool(gathered.sides))
        )
        result = replace(result, sides=sides)
        own_words = frozenset() if result.mode == "llm" else gathered.quoted
        if result.abstained or not any(summary.n in cited and summary.id not in own_words for summary in result.summaries):
            return result
        doubts = doubtful(self._index, replace(gathered.scope, kinds=("chunk",)), result.answer)
        return replace(result, unsupported=tuple(dict.fromkeys((*result.unsupported, *doubts))))


def _side_name(side: SideView) -> str:
    """A side as its own heading says it; as it was asked for where that names several."""
    return side.sections[0].title if len(side.sections) == 1 else side.asked


def _nothing(asked: str) -> AnswerResult:
    """The result while nothing was ever ingested."""
    tokens = Tokens(budget=0)
    return AnswerResult(
        question=asked, answer="", abstained=True, reason="no_match", mode="extractive", intent=unplanned(asked), tokens=tokens
    )


def _begun(asked: str, search: SearchRequest, gathered: Gathered, budget: int, mode: Mode) -> AnswerResult:
    """The result so far: what was understood and packed."""
    intent = replace(gathered.intent, rewritten=search.query) if search.asked_as else gathered.intent
    return AnswerResult(
        question=asked,
        answer="",
        abstained=False,
        reason=None,
        mode=mode,
        intent=intent,
        tokens=Tokens(budget=budget, used=gathered.packed.used),
        passages=gathered.packed.passages,
        left_out=gathered.packed.left_out,
        nearest=gathered.nearest,
        summaries=gathered.summaries,
        coverage=gathered.coverage,
        confidence=None if gathered.logits is None else round(confidence_of(gathered.logits), 4),
        degraded=gathered.degraded,
    )


def _cited(result: AnswerResult, told: Quoted) -> AnswerResult:
    text, sentences = told
    by_number = {passage.n: passage for passage in result.passages}
    citations: list[Citation] = [cite(by_number[sentence.n], sentence.text) for sentence in sentences]
    return replace(result, answer=text, citations=tuple(citations))


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


def _abstained(result: AnswerResult, reason: Reason) -> AnswerResult:
    answer = nothing_found(result.question, reason)
    return replace(result, answer=answer, abstained=True, reason=reason, citations=(), unsupported=())


def _as_answer(value: object) -> AnswerResult:
    assert isinstance(value, AnswerResult)
    return value
