"""Sections with one planted fact each, and summaries of them with known deletions and distortions.

Each mould gives what the section says, how a faithful summary may put it (the second time in other words), and how a
distorted one does. Sections are filled with plain prose that has nothing checkable in it.
"""

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Planted:
    """One section: its text, its fact, and the sentence that the summary has for it ("" when it was deleted)."""

    kind: str
    text: str
    fact: str
    said: str
    state: str  # kept, reworded, deleted or distorted


_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS = ("number", "name", "negation", "exception")
STATES = ("kept", "reworded", "deleted", "distorted")


def planted_book(language: str, seed: int, sections: int = 40, filler: Sequence[str] = ()) -> list[Planted]:
    """Sections with a fact each, of which a quarter is deleted from the summary and a quarter distorted."""
    words = _WORDS[language]
    rng = random.Random(f"{language} {seed}")
    sections = min(sections, len(words["places"]))
    chosen = [rng.sample(words[name], sections) for name in ("places", "things", "matters")]
    states = [STATES[i % 4] for i in range(sections)]
    rng.shuffle(states)
    kinds = [KINDS[i % 4] for i in range(sections)]
    rng.shuffle(kinds)
    values = rng.sample(range(3, 400), 2 * sections)
    found = []
    for i, (place, thing, matter) in enumerate(zip(*chosen, strict=True)):
        mould = rng.choice(words[kinds[i]])
        person, other = rng.sample(words["people"], 2)
        slots = {"p": place, "t": thing, "m": matter, "n": str(values[i]), "x": str(values[sections + i]), "a": person, "b": other}
        fact, reworded, distorted = (_sentence(mould[form].format(**slots)) for form in ("fact", "reworded", "distorted"))
        said = {"kept": fact, "reworded": reworded, "deleted": "", "distorted": distorted}[states[i]]
        around = rng.sample(filler or words["filler"], 6)
        around.insert(rng.randint(0, 6), fact)
        found.append(Planted(kind=kinds[i], text=words["space"].join(around), fact=fact, said=said, state=states[i]))
    return found


def summary_text(book: Sequence[Planted], language: str) -> str:
    """The summary of such a book."""
    return _WORDS[language]["space"].join(planted.said for planted in book if planted.said)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
