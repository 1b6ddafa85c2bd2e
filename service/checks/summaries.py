"""The summaries of what is stored: when they are made, and how many documents wait for theirs."""

from collections.abc import Iterator

from es_mappings import node
from es_mappings.access import OWNER, AccessRegistry
from es_mappings.errors import BackendError, SectionaryError
from es_mappings.index import Index, connect
from es_mappings.settings import Settings
from ingest.summaries.policy import AT_ONCE, minutes_of
from service.checks import Check, ok, warn
from service.summary_status import SummaryStatus, summary_status

NAME = "summaries"


def examine(settings: Settings) -> Iterator[Check]:
    """One check; none when Elasticsearch does not answer, which its own check tells."""
    try:
        index = Index(connect(settings, node.url(settings)), settings.index_prefix)
    except SectionaryError:
        return
    try:
        yield _told(summary_status(index, AccessRegistry(index), settings, OWNER))
    except BackendError:
        return
    finally:
        index.close()


def _told(status: SummaryStatus) -> Check:
    total = sum(status.states.values())
    waiting = ", ".join(f"{count} {state}" for state, count in status.states.items() if count and state != "fresh")
    told = f"{_when(status)}; " + (
        f"{status.waiting} of {total} documents wait ({waiting})" if status.waiting else f"all {total} are fresh"
    )
    if status.waiting and minutes_of(status.policy) is None:
        return warn(NAME, f"{told}: `sectionary summary DOC` makes what is missing")
    return ok(NAME, told)


def _when(status: SummaryStatus) -> str:
    minutes = minutes_of(status.policy)
    if minutes is None:
        return "made at once" if status.policy == AT_ONCE else "made by hand"
    run = f"next run {status.next_run:%Y-%m-%d %H:%M} UTC" if status.next_run else "first run when a worker is idle"
    return f"made every {minutes} minutes, {run}"
