"""Requests for summaries and replies about them, the same for the command line and over HTTP."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.models import bounds
from service.models.requests import Collection, Filter, Text
from service.models.search import Reply

SummaryState = Literal["fresh", "partial", "stale", "pending"]


class SummaryQuery(BaseModel):
    """Which summary, and how it is wished for; comes from the query string, so its types are lax."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    section: Filter | None = Field(default=None, description="only this section: its key, path, label (chapter 3, 第三章) or number")
    style: Annotated[Text, Field(max_length=bounds.STYLE_CHARACTERS)] = Field(
        default="", description="audience, focus or tone in free words: one call over the chapters' summaries, then kept"
    )
    length: int | None = Field(
        default=None, ge=bounds.SUMMARY_TOKENS_LEAST, le=bounds.SUMMARY_TOKENS_MOST, description="most tokens (o200k) of the summary"
    )
    language: Annotated[Text, Field(max_length=bounds.LANGUAGE_CHARACTERS)] = Field(
        default="", description="language of the summary: zh, en ... or its name"
    )


class CollectionPath(BaseModel):
    """The collection in a path."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    collection: Collection = Field(description="name of a collection")


class CoveredSection(Reply):
    """A section that the summary speaks about, or should."""

    key: str
    title: str
    tokens: int = Field(description="tokens (o200k) of its own text; of a collection 1 for each document")
    included: bool = Field(description="whether all of its own text went in")
    error: str | None = Field(description="why not")


class Coverage(Reply):
    """What went in."""

    share: float = Field(ge=0, le=1, description="of the source tokens that the caller may see")
    sections: list[CoveredSection]


class UnsupportedSentence(Reply):
    """A sentence of the summary for which no sentence of the source speaks."""

    sentence: str
    reason: str
    value: str


class MissingPoint(Reply):
    """A number, name, denial or exception of the source that no sentence of the summary supports."""

    key: str
    title: str
    kind: str
    value: str
    sentence: str


class SummaryReply(Reply):
    """A summary of a document, a section or a collection, with what it covers."""

    doc_id: str
    title: str
    section_key: str
    summary: str = Field(description="plain text; empty when there is none yet")
    mode: Literal["llm", "extractive", "verbatim", "mixed"] = Field(description="written by a model, extracted sentences, the text itself")
    state: SummaryState = Field(description="fresh; partial: pieces are missing; stale: made from an older version; pending: not made yet")
    coverage: Coverage
    unsupported: list[str] = Field(description="sentences without support")
    faults: list[UnsupportedSentence] = Field(description="the same with the reason")
    missing: list[MissingPoint] = Field(description="the weightiest points that are not mentioned")
    missing_total: int = Field(ge=0)
    from_parts: bool = Field(description="put together from the summaries of parts")
    made_at: str | None = Field(description="when it was made; null when nothing is stored")
    notes: list[str]
    llm_calls: int = Field(ge=0, description="calls to the model that this reply took")


class SummaryOutlook(Reply):
    """What `sectionary summary DOC --dry-run --json` prints: the calls that making what is missing would take."""

    doc_id: str
    title: str
    mode: Literal["llm", "extractive"]
    llm_calls: int = Field(ge=0)
    llm_calls_in_all: int = Field(ge=0)
    sections: int = Field(ge=0)
    source_tokens: int = Field(ge=0)


class SummaryStates(Reply):
    """Documents by the state of their summaries, as far as the caller may see them."""

    fresh: int
    partial: int
    stale: int
    pending: int


class SummaryPlan(Reply):
    """When summaries are made, and how many documents wait for theirs."""

    policy: str = Field(description="SECTIONARY_SUMMARY_POLICY: at-once, every:MINUTES or by-hand")
    next_run: str | None = Field(description="when the worker makes what is missing (UTC); null: not by the clock")
    documents: SummaryStates
    themes: str = Field(description="SECTIONARY_SUMMARY_THEMES: off, by-hand or every:MINUTES")
    themes_next_run: str | None = Field(description="when the worker rebuilds themes and overviews (UTC); null: not by the clock")
