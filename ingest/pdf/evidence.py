"""The seam for further evidence: what a model says of units whose score the rules leave in doubt is added to it as log odds."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from es_mappings.errors import SettingsError
from ingest.blocks import StructureSource
from ingest.pdf.units import Unit

SETTING = "pdf_evidence"  # key in ReadOptions.settings: names of evidence, comma-separated; none by default
DOUBT = 2.0  # log odds: a unit whose score is no further from 0 is in doubt (probability 0.12 to 0.88)


class Evidence(Protocol):
    """A judge of units. `source` is what a heading is said to be found by when only this evidence made it one."""

    source: StructureSource

    def log_odds(self, document: Any, units: Sequence[Unit], scores: Mapping[int, float]) -> Mapping[int, float]:
        """What to add to the log odds of units, by index.

        `document` is the open pymupdf document, `scores` are the log odds so far of all units that may be headings.
        """
        ...


def chosen_evidence(names: str) -> tuple[Evidence, ...]:
    """The evidence of these names. Raises SettingsError for a name that does not exist and for a library that is missing."""
    return tuple(_evidence(name.strip()) for name in names.split(",") if name.strip())


def _evidence(name: str) -> Evidence:
    if name in ("layout_model", "layout_model_all"):
        # Loading the model takes a second and 200 MB, so only those pay who ask for it.
        from ingest.pdf.layout_model import LayoutModel

        return LayoutModel(every_page=name == "layout_model_all")
    raise SettingsError(f"there is no evidence named {name}: use layout_model, layout_model_all or nothing")
