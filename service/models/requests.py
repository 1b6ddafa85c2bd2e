"""Requests as pydantic models: unknown keys are refused, types are exact, every bound comes from the table beside this file."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from es_mappings.errors import InvalidRequest
from service.models import bounds

FIELD_CHARACTERS = 60
FAULTS_TOLD = 5


def _whole(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it holds half of a character pair, which cannot be stored")
    return text


def _as_whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


# 10.0 is an integer in JSON.
Size = Annotated[int, Field(ge=1, le=bounds.HITS), BeforeValidator(_as_whole)]
Budget = Annotated[int, Field(ge=bounds.BUDGET_TOKENS_LEAST, le=bounds.BUDGET_TOKENS_MOST), BeforeValidator(_as_whole)]

# No NUL, which some stores cut texts at; written as a pattern so that the published schemas say so too.
Text = Annotated[str, Field(pattern=r"^[^\x00]*$"), AfterValidator(_whole)]
Filter = Annotated[Text, Field(min_length=1, max_length=bounds.FILTER_CHARACTERS)]
Filters = Filter | Annotated[list[Filter], Field(max_length=bounds.FILTERS)]
Query = Annotated[
    str,
    Field(
        pattern=r"^[^\x00]*[^\s\x00][^\x00]*$",
        min_length=1,
        max_length=bounds.QUERY_CHARACTERS,
        description="what is looked for or asked, English or Chinese",
    ),
    AfterValidator(_whole),
]
Collection = Annotated[Text, Field(min_length=1, max_length=bounds.COLLECTION_CHARACTERS)]
Kind = Literal["chunk", "section", "document", "cluster"]
Strategy = Literal["auto", "collapsed", "traversal"]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SearchBody(_Request):
    """What to search for, and where. A section is named by its key, path, label ("chapter 3", "第三章") or number."""

    query: Query
    collection: Collection | None = Field(default=None, description="only this collection; null: all that the caller may read")
    document: Filters | None = Field(default=None, description="document ids; one or a list")
    section: Filters | None = Field(default=None, description="sections to search in; one or a list, their union")
    exclude_section: Filters | None = Field(default=None, description="sections to leave out; one or a list")
    kind: Kind | None = Field(default=None, description="only nodes of this kind; null: the strategy decides")
    size: Size = Field(default=bounds.HITS_DEFAULT, description="most hits in the reply")
    strategy: Strategy = Field(
        default="auto",
        description="collapsed: all passages are ranked together; traversal: down the tree, the best sections of each level first; "
        "auto: by the kind of question",
    )
    explain: bool = Field(default=False, description="show each signal's rank and score in every hit")

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents as a tuple; empty means all."""
        return as_tuple(self.document)

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections to search in as a tuple; empty means all."""
        return as_tuple(self.section)

    @property
    def excluded_sections(self) -> tuple[str, ...]:
        """The sections left out as a tuple."""
        return as_tuple(self.exclude_section)


class Turn(_Request):
    """One message of the conversation before a question, as chat interfaces keep them."""

    role: Literal["user", "assistant"] = Field(description="user: a question asked before; assistant: its answer")
    content: Annotated[Text, Field(max_length=bounds.TURN_CHARACTERS)] = Field(description="what was asked or answered")


class AnswerBody(SearchBody):
    """A question, where to look, and how many tokens of evidence an answer may stand on."""

    history: Annotated[list[Turn], Field(max_length=bounds.TURNS)] = Field(
        default=[],
        description="the conversation before the question, oldest first: what the question leaves unsaid is taken from it for the "
        "search; the question itself is what is answered",
    )

    budget: Budget | None = Field(default=None, description="tokens (o200k) of passages; null: the service's setting")


class UploadFields(_Request):
    """The text fields beside `file` in a multipart upload."""

    collection: Collection = Field(default="default", description="the shelf that the document stands on")
    access: Annotated[Text, Field(max_length=bounds.GROUPS_CHARACTERS)] = Field(
        default="", description="groups, comma-separated, of which a reader needs one; empty: public"
    )
    source: Annotated[Text, Field(max_length=bounds.NAME_CHARACTERS)] = Field(
        default="", description="the name that identifies the document in its collection; empty: the uploaded name"
    )

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in `access`, in order, without blanks."""
        return tuple(group for part in self.access.split(",") if (group := part.strip()))


Id = Annotated[Text, Field(min_length=1, max_length=bounds.ID_CHARACTERS)]


class DocumentPath(_Request):
    """The document in a path."""

    doc_id: Id = Field(description="id of a document")


class SectionRoute(_Request):
    """A section of a document in a path."""

    doc_id: Id = Field(description="id of a document")
    key: Annotated[Text, Field(min_length=1, max_length=bounds.FILTER_CHARACTERS)] = Field(
        description="section_key, as outlines and hits carry it"
    )


class ReadQuery(BaseModel):
    """Where to read on; comes from the query string, so its types are lax."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    after: int = Field(default=-1, ge=-1, le=2_147_483_647, description="only pieces with an ordinal beyond this one")


class JobPath(_Request):
    """The job in a path."""

    job: Id = Field(description="id of a job")


class DocumentsQuery(BaseModel):
    """Which documents to list; comes from the query string, so its types are lax."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    collection: Collection | None = Field(default=None, description="only this collection")


def as_tuple(value: str | list[str] | None) -> tuple[str, ...]:
    """One, several or no filters as a tuple."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def invalid(error: ValidationError) -> InvalidRequest:
    """The error to show for a request that does not fit its model: the fields and what is wrong, never the values."""
    faults: dict[str, str] = {}
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        field = str(fault["loc"][0]) if fault["loc"] else ""
        faults.setdefault(field, _reason(fault))
    if set(faults) == {""}:
        return InvalidRequest("the body must be one JSON object, sent with Content-Type: application/json")
    told = [f"{field[:FIELD_CHARACTERS]}: {reason}" for field, reason in faults.items() if field]
    return InvalidRequest("; ".join(told[:FAULTS_TOLD]) + (f" (and {len(told) - FAULTS_TOLD} more)" if len(told) > FAULTS_TOLD else ""))


def _reason(fault: Any) -> str:
    if fault["type"] == "extra_forbidden":
        return "no such field; look at /openapi.json for those that there are"
    if fault["type"] == "missing":
        return "it is needed"
    if fault["type"] == "string_pattern_mismatch":
        return "it is blank or holds a NUL character"
    return str(fault["msg"]).removeprefix("Value error, ")
