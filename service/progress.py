"""Progress of long work on stderr: a bar with rate and remaining time on a terminal, silence elsewhere (rows are printed instead)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from ingest.pipeline import Progress as Report
from ingest.pipeline import unheard


class _Rate(TextColumn):
    """Items a second of the running stage."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: object) -> Text:
        speed = getattr(task, "speed", None)
        return Text(f"{speed:.0f}/s" if speed else "", style="progress.data.speed")


@dataclass(frozen=True, slots=True)
class ProgressDisplay:
    """What the commands report to; without a bar every report is dropped."""

    bar: Progress | None
    whole: TaskID | None

    @contextmanager
    def document(self, name: str) -> Iterator[Report]:
        """A line for one document; yields the function that the pipeline calls with (stage, done, total)."""
        if self.bar is None or self.whole is None:
            yield unheard
            return
        bar = self.bar
        line = bar.add_task(name, total=None)

        def report(stage: str, done: int, total: int) -> None:
            bar.update(line, description=f"{name}: {stage}", completed=done, total=total)

        try:
            yield report
        finally:
            bar.remove_task(line)
            bar.advance(self.whole)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop drawing while a row is printed on stdout."""
        if self.bar is None:
            yield
            return
        self.bar.stop()
        try:
            yield
        finally:
            self.bar.start()


@contextmanager
def progress_display(documents: int) -> Iterator[ProgressDisplay]:
    """A display for `documents` documents, drawn on stderr only when that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressDisplay(None, None)
        return
    with _bar(console) as bar:
        yield ProgressDisplay(bar, bar.add_task("documents", total=documents))


@contextmanager
def step_display(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar for `total` equal steps, drawn on stderr only when that is a terminal; yields what to call after each."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    with _bar(console) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
