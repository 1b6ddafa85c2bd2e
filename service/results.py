"""What searching and answering hand out; `as_json` gives the fields of the contract (issue: search and ask), none left out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Reason = Literal["no_match", "below_threshold", "empty_section", "no_such_section", "model_declined"]
Mode = Literal["llm", "extractive", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section as shown in an intent or among the nearest; `asked` is what the caller wrote for it."""

    asked: str
    doc_id: str
    section_key: str
    section_path: str
    title: str
    number: str | None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One of the things that a comparison sets beside each other: a section as named, or a document."""

    asked: str
    sections: tuple[SectionView, ...] = ()
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentView:
    """What was understood; explicit parameters win over the question's words.

    `strategy` is the one used, however it was chosen. `sides` are those of a comparison. `rewritten` is what a follow-up was
    searched as, "" when it was searched as asked.
    """

    kind: str
    documents: tuple[str, ...] = ()
    sections: tuple[SectionView, ...] = ()
    excluded: tuple[SectionView, ...] = ()
    text: str = ""
    explanation: str = ""
    strategy: str = "collapsed"
    sides: tuple[SideView, ...] = ()
    rewritten: str = ""

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = _plain(asdict(self))
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One ranked node with its text. `signals` (name -> rank, score, weight, evidence) is shown under explain.

    `ordinal`, `revision` and the other fields that are not in the contract serve packing and answering; `as_json` leaves them
    out. `cosine` is the similarity of question and text, None when the vectors did not find it.
    """

    id: str
    doc_id: str
    doc_title: str
    kind: str
    section_path: str
    section_key: str
    section_titles: str
    number: str | None
    title: str
    content: str
    page_start: int | None
    page_end: int | None
    is_fallback: bool
    structure_source: str
    structure_confidence: float
    state: str
    score: float
    token_count: int
    ordinal: int
    revision: str
    content_hash: str = ""
    language: str | None = None
    reference_labels: tuple[str, ...] = ()
    reference_keys: tuple[str, ...] = ()
    source_keys: tuple[str, ...] = ()
    cosine: float | None = None
    signals: Mapping[str, Mapping[str, float]] | None = None

    def as_json(self) -> dict[str, Any]:
        shown = (
            "id", "doc_id", "doc_title", "kind", "section_path", "section_key", "number", "title", "content",
            "page_start", "page_end", "is_fallback", "structure_source", "structure_confidence", "state",
        )  # fmt: skip
        values: dict[str, Any] = {name: getattr(self, name) for name in shown}
        values["score"] = round(self.score, 4)
        if self.signals is not None:
            values["signals"] = {name: {k: round(v, 4) for k, v in evidence.items()} for name, evidence in self.signals.items()}
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Milliseconds by step."""

    embed: float = 0.0
    search: float = 0.0
    fetch: float = 0.0
    rerank: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Ranked hits, or none with a reason. `degraded` names parts that were down and done without ("embedder", "reranker")."""

    intent: IntentView
    hits: tuple[Hit, ...] = ()
    reason: Reason | None = None
    nearest: tuple[SectionView, ...] = ()
    took: Took = field(default_factory=Took)
    degraded: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "intent": self.intent.as_json(),
            "reason": self.reason,
            "nearest": [_plain(asdict(section)) for section in self.nearest],
            "took_ms": {name: round(value, 2) for name, value in asdict(self.took).items()},
            "hits": [hit.as_json() for hit in self.hits],
            "degraded": list(self.degraded),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Text packed as evidence number `n`: the hit that led to it, the text as given (perhaps joined with its neighbours).

    `tokens` counts what it takes of the budget (heading line, text, separator). `ids` are the nodes that it is made of.
    """

    n: int
    hit: Hit
    content: str
    heading: str
    page_start: int | None
    page_end: int | None
    tokens: int
    ids: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        pages = {"content": self.content, "page_start": self.page_start, "page_end": self.page_end}
        return {**self.hit.as_json(), **pages, "n": self.n, "tokens": self.tokens, "ids": list(self.ids)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A hit that was not packed and why: over_budget, duplicate, covered_by_child, covered_by_passage."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a statement of the answer stands, with the sentence that supports it best, verbatim."""

    n: int
    id: str
    doc_id: str
    doc_title: str
    section_path: str
    page: int | None
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryUse:
    """A summary that an answer was made from: which section's, and whether it still says what its section says.

    `state`: fresh, partial, stale, or pending for a text that stands in for one that is not made yet. `n` is its passage.
    """

    n: int
    id: str
    doc_id: str
    section_key: str
    title: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveredSection:
    """A section that an overview speaks about, or should: `included` is False when its text did not go in, for `error`."""

    key: str
    title: str
    included: bool
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideUse:
    """One side of a comparison: its name, its passages, and whether the answer cites any of them."""

    asked: str
    passages: tuple[int, ...]
    is_cited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One cross-reference: passage `n`, in the section `from_key`, refers to the section `key` (null: none that is stored).

    `label` is how it is named ("section 3.2"), "" where it is named by its title or a link.
    """

    n: int
    from_key: str
    from_title: str
    label: str
    doc_id: str | None
    key: str | None
    title: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """o200k tokens: the budget for passages, what they take, the whole prompt, the answer."""

    budget: int
    used: int = 0
    prompt: int = 0
    answer: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """An answer with its evidence, or an abstention with a reason.

    `unsupported` are sentences of the answer for which no packed passage speaks, and facts of a summary that its own section
    does not bear out; they are marked, not removed. `summaries` and `coverage` are those of an overview, `sides` those of a
    comparison, `references` those of a question about references.
    """

    question: str = ""
    answer: str
    abstained: bool
    reason: Reason | None
    mode: Mode
    intent: IntentView
    tokens: Tokens
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    nearest: tuple[SectionView, ...] = ()
    unsupported: tuple[str, ...] = ()
    summaries: tuple[SummaryUse, ...] = ()
    coverage: tuple[CoveredSection, ...] = ()
    sides: tuple[SideUse, ...] = ()
    references: tuple[Reference, ...] = ()
    confidence: float | None = None
    degraded: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "answer": self.answer,
            "abstained": self.abstained,
            "reason": self.reason,
            "mode": self.mode,
            "citations": [asdict(citation) for citation in self.citations],
            "passages": [passage.as_json() for passage in self.passages],
            "left_out": [asdict(item) for item in self.left_out],
            "tokens": asdict(self.tokens),
            "intent": self.intent.as_json(),
            "nearest": [_plain(asdict(section)) for section in self.nearest],
            "unsupported": list(self.unsupported),
            "summaries": [asdict(summary) for summary in self.summaries],
            "coverage": [asdict(section) for section in self.coverage],
            "sides": [_plain(asdict(side)) for side in self.sides],
            "references": [asdict(reference) for reference in self.references],
            "confidence": self.confidence,
            "degraded": list(self.degraded),
        }


def _plain(value: Any) -> Any:
    """Tuples as lists, at every depth: what JSON would make of them."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
