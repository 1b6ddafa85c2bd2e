"""Replies of search and answers, as the commands print them and the service sends them. Fields may be added, none left out."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Reason = Literal["no_match", "below_threshold", "empty_section", "no_such_section", "model_declined"]
Mode = Literal["llm", "extractive", "summary"]


class Reply(BaseModel):
    """Base of the replies: further fields may come with later versions, so readers must ignore what they do not know."""

    model_config = ConfigDict(extra="allow")


class SectionView(Reply):
    """A section as shown in an intent or among the nearest; `asked` is what the caller wrote for it."""

    asked: str
    doc_id: str
    section_key: str
    section_path: str
    title: str
    number: str | None
    labels: list[str]


class SideView(Reply):
    """One side of a comparison: a section as named, or a document."""

    asked: str
    sections: list[SectionView]
    documents: list[str]


class IntentView(Reply):
    """What was understood of the query; explicit parameters win over what is read from its words."""

    kind: str = Field(description="plain, section, reference, overview or comparison")
    documents: list[str] = Field(description="ids of the documents that the search was limited to")
    sections: list[SectionView] = Field(description="sections that the search was limited to, their union")
    excluded: list[SectionView] = Field(description="sections that were left out")
    text: str = Field(description="what was searched for")
    explanation: str = Field(description="what was read from the words, as a sentence; empty when nothing was")
    strategy: str = Field(description="how the tree was searched: collapsed or traversal")
    sides: list[SideView] = Field(description="what a comparison sets beside each other")
    rewritten: str = Field(description="what a follow-up was searched as; empty when it was searched as asked")


class Took(Reply):
    """Time in milliseconds, by step."""

    embed: float
    search: float
    fetch: float
    rerank: float
    total: float


class Hit(Reply):
    """One ranked node. `score` orders hits of one reply and cannot be compared between replies."""

    id: str
    doc_id: str
    doc_title: str
    kind: str
    section_path: str = Field(description="readable: SLUG/3 Experiments/3.1 Data")
    section_key: str = Field(description="exact: DOC_ID/00003/00001")
    number: str | None
    title: str
    content: str
    page_start: int | None = Field(description="1-based, null where the format has no pages")
    page_end: int | None
    is_fallback: bool = Field(description="the text hung on the nearest heading for want of its own")
    structure_source: str
    structure_confidence: float = Field(ge=0, le=1)
    state: str = Field(description="current; of a summary also pending or stale")
    score: float
    signals: dict[str, Any] | None = Field(default=None, description="under explain: each signal's rank and score")


class SearchReply(Reply):
    """Ranked hits; none, with a reason, when nothing fits."""

    intent: IntentView
    reason: Reason | None = Field(description="why there are no hits, or null")
    nearest: list[SectionView] = Field(description="sections nearest to one that does not exist")
    took_ms: Took
    hits: list[Hit]
    degraded: list[str] = Field(description="parts that were down and done without, such as the embedder or the reranker")


class Passage(Hit):
    """A hit that was packed as evidence; `n` is its citation number in the answer."""

    n: int = Field(ge=1)
    tokens: int = Field(ge=0)
    ids: list[str] = Field(description="the nodes that the text is made of")


class Citation(Reply):
    """Where a statement of the answer stands."""

    n: int = Field(ge=1)
    id: str
    doc_id: str
    doc_title: str
    section_path: str
    page: int | None
    quote: str


class LeftOut(Reply):
    """A hit that was not packed, and why."""

    id: str
    reason: str


class Tokens(Reply):
    """Token counts (o200k): the budget for passages, what they used, and what the model was given and gave."""

    budget: int
    used: int
    prompt: int
    answer: int


class SummaryUse(Reply):
    """A summary that the answer was made from."""

    n: int = Field(ge=1, description="its passage")
    id: str
    doc_id: str
    section_key: str
    title: str
    state: str = Field(description="fresh, partial, stale; pending: a text that stands in for a summary that is not made yet")


class CoveredSection(Reply):
    """A section that an overview speaks about, or should."""

    key: str
    title: str
    included: bool
    error: str | None = Field(description="why it is not included")


class SideUse(Reply):
    """One side of a comparison in the answer."""

    asked: str
    passages: list[int] = Field(description="numbers of its passages")
    is_cited: bool


class Reference(Reply):
    """A cross-reference that was asked for: passage n, in the section from_key, refers to the section key."""

    n: int = Field(ge=1)
    from_key: str
    from_title: str
    label: str = Field(description="how it is named (section 3.2); empty: by its title or a link")
    doc_id: str | None
    key: str | None = Field(description="null: no stored section that the caller may read")
    title: str
    quote: str


class AnswerReply(Reply):
    """An answer with its evidence, or an abstention with a reason."""

    question: str = Field(description="as it was asked")

    answer: str
    abstained: bool
    reason: Reason | None
    mode: Mode
    citations: list[Citation]
    passages: list[Passage]
    left_out: list[LeftOut]
    tokens: Tokens
    intent: IntentView
    nearest: list[SectionView] = Field(description="sections nearest to one that does not exist")
    unsupported: list[str] = Field(
        description="sentences of the answer for which no passage speaks, and facts of a summary that its section does not bear out"
    )
    summaries: list[SummaryUse] = Field(description="the summaries that an overview was made from")
    coverage: list[CoveredSection] = Field(description="every section that an overview speaks about, or should")
    sides: list[SideUse] = Field(description="the sides of a comparison")
    references: list[Reference] = Field(description="the references that were asked for")
    confidence: float | None = Field(description="strength of the evidence, by which answers are given or withheld")
    degraded: list[str] = Field(description="parts that were down and done without")
