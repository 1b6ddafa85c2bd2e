"""The lines of a question file, and what `sectionary eval --json` prints and `--compare` reads."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from es_mappings.errors import InvalidRequest
from service.models import bounds
from service.models.requests import Collection, Filter, Filters, Query, Text
from service.models.search import Reply

QuestionType = Literal["local", "cross_chapter", "overview"]
Id = Annotated[Text, Field(min_length=1, max_length=bounds.ID_CHARACTERS)]


def _with_content(text: str) -> str:
    if not any(map(str.isalnum, text)):
        raise ValueError("it needs a letter or digit, because everything else is ignored when texts are compared")
    return text


GoldText = Annotated[Text, Field(min_length=1, max_length=bounds.GOLD_CHARACTERS), AfterValidator(_with_content)]


class EvaluationQuestion(BaseModel):
    """A question with what is known about its answer, as one line of a JSON Lines file (UTF-8). Unknown keys are refused.

    Retrieval is judged by the sections, without them by the quotes, without those by the answers.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    question: Query
    id: Id | None = Field(default=None, description="names the question in the report and in comparisons; null: its line number")
    type: QuestionType = Field(default="local", description="a fact in one place, facts from several chapters, or an overview")
    sections: list[Filter] = Field(
        default=[], max_length=bounds.FILTERS, description="where the answer stands: each a key, path, label (chapter 3, 第三章) or number"
    )
    quotes: list[GoldText] = Field(
        default=[],
        max_length=bounds.FILTERS,
        description="words of the documents that answer, verbatim but for white space and punctuation",
    )
    answers: list[GoldText] = Field(default=[], max_length=bounds.FILTERS, description="accepted short answers, of which any will do")
    unanswerable: bool = Field(default=False, description="the documents do not tell: the right reply is to say so")
    document: Filters | None = Field(default=None, description="search only these documents: id, title or alias; one or a list")
    gold_document: Filter | None = Field(
        default=None, description="the document of the gold sections when the search is not limited to it; null: `document`, else any"
    )
    collection: Collection | None = Field(default=None, description="search only this collection")

    @model_validator(mode="after")
    def _has_gold_or_none(self) -> Self:
        gold = bool(self.sections or self.quotes or self.answers)
        if self.unanswerable and gold:
            raise ValueError("an unanswerable question has no sections, quotes or answers")
        if not self.unanswerable and not gold:
            raise ValueError("give sections, quotes or answers, or say that it is unanswerable")
        return self


def parse_question(line: str) -> EvaluationQuestion:
    """The question of one line. Raises InvalidRequest with the fields and what is wrong, never the values."""
    try:
        return EvaluationQuestion.model_validate_json(line)
    except ValidationError as error:
        faults = [_told(fault) for fault in error.errors(include_url=False, include_context=False, include_input=False)]
        raise InvalidRequest("; ".join(dict.fromkeys(faults))) from None


def _told(fault: Any) -> str:
    if fault["type"] == "json_invalid":
        return "it is not JSON"
    if not fault["loc"]:
        return "it is not one JSON object" if fault["type"] == "model_type" else str(fault["msg"]).removeprefix("Value error, ")
    field = str(fault["loc"][0])[:60]
    if fault["type"] == "extra_forbidden":
        return f"{field}: no such field"
    if fault["type"] == "missing":
        return f"{field}: it is needed"
    if fault["type"] == "string_pattern_mismatch":
        return f"{field}: it is blank or holds a NUL character"
    return f"{field}: {str(fault['msg']).removeprefix('Value error, ')}"


class Figure(Reply):
    """A figure with its 95 % interval (percentile bootstrap over questions). `name` says what is measured: docs/reference/evaluation.md."""

    name: str
    type: str = Field(description="the question type that it is over, or all")
    value: float
    low: float
    high: float
    questions: int = Field(ge=1, description="questions that it concerns")


class Change(Reply):
    """A figure of this run less the other run's, paired by question, with its 95 % interval."""

    name: str
    type: str
    value: float
    low: float
    high: float
    questions: int = Field(ge=1)
    is_clear: bool = Field(description="the interval leaves out 0")


class Outcome(Reply):
    """What became of one question."""

    id: str
    line: int = Field(ge=1)
    type: QuestionType
    question: str
    unanswerable: bool
    error: str | None = Field(description="the code of the failure that kept it from being asked; it counts in no figure")
    abstained: bool
    reason: str | None
    ranks: list[int | None] = Field(description="for each piece of gold the rank of the first hit that holds it")
    packed: list[bool] = Field(description="for each piece of gold whether a passage given to the answer holds it")
    used: int = Field(description="tokens (o200k) of those passages")
    answer: str
    cited: list[int]
    unsupported: list[str] = Field(description="sentences of the answer that the passages they cite do not support")
    search_ms: float
    answer_ms: float
    degraded: list[str]
    parts: dict[str, tuple[float, float]] = Field(description="for each figure what this question adds to its two sums")


class Comparison(Reply):
    """This run beside another one over the same questions."""

    other: str = Field(description="name of the other run's file")
    other_settings: dict[str, Any]
    changes: list[Change]
    only_here: int = Field(description="questions that only this run asked")
    only_there: int


class EvaluationReply(Reply):
    """One run over a question file."""

    version: Literal[1] = 1
    file: str
    is_complete: bool = Field(description="false when the run was stopped; the figures are then over what was asked")
    questions: int = Field(ge=0, description="in the file")
    settings: dict[str, Any]
    figures: list[Figure]
    outcomes: list[Outcome]
    comparison: Comparison | None


def parse_run(text: str) -> EvaluationReply:
    """A run as --json printed it. Raises InvalidRequest for anything else."""
    try:
        return EvaluationReply.model_validate_json(text)
    except ValidationError:
        raise InvalidRequest("the file to compare with is not the output of `sectionary eval --json`: make one with it") from None
