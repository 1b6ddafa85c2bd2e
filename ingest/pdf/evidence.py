"""The seam for further evidence: what a model says of units whose score the rules leave in doubt is added to it as log odds."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from es_mappings.errors import SettingsError
from ingest.blocks import StructureSource
from ingest.formats import Announce, unannounced
from ingest.pdf.units import Unit

SETTING = "SECTIONARY_PDF_EVIDENCE"
LANGUAGE_MODEL = "llm"
_PLAIN = ("layout_model", "layout_model_all")
_LAYOUTLM = "layoutlm:"
DOUBT = 2.0  # log odds: a unit whose score is no further from 0 is in doubt (probability 0.12 to 0.88)


class Evidence(Protocol):
    """A judge of units. `source` is what a heading is said to be found by when only this evidence made it one."""

    source: StructureSource

    def log_odds(self, document: Any, units: Sequence[Unit], scores: Mapping[int, float]) -> Mapping[int, float]:
        """What to add to the log odds of units, by index.

        `document` is the open pymupdf document, `scores` are the log odds so far of all units that may be headings.
        """
        ...


def named(names: str) -> tuple[str, ...]:
    """The single names in a setting; each may have an argument after a colon. Raises SettingsError for one that does not exist."""
    found = tuple(name.strip() for name in names.split(",") if name.strip())
    for name in found:
        if name not in (*_PLAIN, LANGUAGE_MODEL) and not (name.startswith(_LAYOUTLM) and len(name) > len(_LAYOUTLM)):
            raise SettingsError(f"{SETTING} names {name}, which does not exist: use layout_model, layout_model_all, layoutlm:FOLDER or llm")
    return found


def needs_torch(names: str) -> bool:
    """Whether one of them is a model that torch runs."""
    return any(name.startswith(_LAYOUTLM) for name in named(names))


def chosen_evidence(names: str, announce: Announce = unannounced) -> tuple[Evidence, ...]:
    """The evidence of these names that is asked here. Raises SettingsError for what does not exist or is not installed.

    The language model is not among them: it is asked outside the confined process, see `ingest.leveling`.
    """
    return tuple(_evidence(name, announce) for name in named(names) if name != LANGUAGE_MODEL)


def _evidence(name: str, announce: Announce) -> Evidence:
    # Loading a model takes seconds and much memory, so only those pay who ask for it.
    if name in _PLAIN:
        from ingest.pdf.layout_model import LayoutModel

        return LayoutModel(every_page=name == "layout_model_all", announce=announce)
    from ingest.pdf.layoutlm import LayoutLm

    return LayoutLm.open(name.removeprefix(_LAYOUTLM), announce)
