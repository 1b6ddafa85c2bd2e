"""The reply of `sectionary reindex`."""

from typing import Literal

from pydantic import Field

from service.models.search import Reply


class ReindexReply(Reply):
    """What was done, or with --dry-run what would be."""

    status: Literal["planned", "unchanged", "swapped"]
    old_model: str
    old_dims: int
    new_model: str
    new_dims: int
    embedder: str = Field(description="how processes open the new model from now on, as in SECTIONARY_EMBEDDER")
    documents: int = Field(ge=0)
    nodes: int = Field(ge=0, description="copied; with --dry-run, to be copied")
    embedded: int = Field(ge=0, description="texts that were embedded; with --dry-run, to be embedded at most")
    reused: int = Field(ge=0, description="vectors that an earlier run or revision had made of the same text")
    rounds: int = Field(ge=0, description="how often changed documents were caught up with before the swap")
    pauses: list[float] = Field(description="how long writers were made to wait, in seconds; the last one with the swap")
    seconds: float = Field(ge=0, description="what it took; with --dry-run, what it would take")
    kept: list[str] = Field(description="the old indices, when they were kept; who no longer wants them deletes them by these names")
