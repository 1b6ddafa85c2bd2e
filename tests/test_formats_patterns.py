"""No pattern of a reader takes more than linear time, whatever a document holds."""

import importlib
import inspect
import pkgutil
import re
import signal
from collections.abc import Iterator
from types import FrameType

import pytest

import ingest.epub
import ingest.html
import ingest.markdown
import ingest.plaintext
import ingest.rst

PACKAGES = (ingest.epub, ingest.html, ingest.markdown, ingest.plaintext, ingest.rst)
SINGLE = ("cleaning", "corrections", "decoding", "lines", "numbering", "formats.html")
SIZE = 20_000
ATTACKS = (
    *("a", " ", "1", "1.", ".", "I", "M", "第", "一", "#", "<", "<a ", "<!--", "<!---->", "&a", "[", "]", "(", "{", "{#", ":", ":a:", "`"),
    *("a:`", "|", "| a ", "-", "=", "_", "*", "\t", "\n", "\r", "\\", "a b ", "A. ", "a=", 'a="', "/*", "page ", "number 1 ", "chapter "),
    *("…", "·", "\u00a0", ", ", "; "),
)
# These are only ever given the last few characters of a line, or a line that was measured before.
ON_SHORT_TEXT = {"_LEADERS", "_PAGE", "_TRAILING_MARKS", "_EDGES", "_SPACED"}


def patterns() -> Iterator[tuple[str, re.Pattern[str], bool]]:
    """The name of every pattern, the pattern, and whether it is ever sought inside a text, not only at its start."""
    names = [f"{package.__name__}.{module.name}" for package in PACKAGES for module in pkgutil.iter_modules(package.__path__)]
    for name in [*names, *(f"ingest.{single}" for single in SINGLE)]:
        module = importlib.import_module(name)
        source = inspect.getsource(module)
        for key, value in vars(module).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str) and key not in ON_SHORT_TEXT and f"{key} = " in source:
                yield f"{name}.{key}", value, bool(re.search(rf"{key}\.(?:search|sub|findall|finditer|split)", source))


def out_of_time(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


@pytest.mark.parametrize(("name", "pattern", "sought"), [pytest.param(*row, id=row[0]) for row in patterns()])
def test_a_pattern_is_done_with_any_attack_at_once(name: str, pattern: re.Pattern[str], sought: bool) -> None:
    before = signal.signal(signal.SIGVTALRM, out_of_time)
    try:
        for attack in ATTACKS:
            for text in (attack * (SIZE // len(attack)) + "!", "x" + attack * (SIZE // len(attack)) + "\x00x"):
                # Processor time, so that a busy machine does not fail; linear patterns take a hundredth of this.
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
                try:
                    pattern.fullmatch(text)
                    list(pattern.finditer(text)) if sought else pattern.match(text)
                except TimeoutError:
                    pytest.fail(f"{name} takes more than half a second for 20 kB of {attack!r}")
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
