"""What a summary lost and what it says without support, section by section, as it is stored with its coverage. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest.claims.evidence import Evidence
from ingest.claims.statements import Statement, statements
from ingest.claims.support import missing, unsupported
from ingest.language import language_of
from ingest.summaries.coverage import branch
from ingest.summaries.tree import SectionSource, children_of

# A book has thousands of numbers and names; the ones that a reader would miss most are kept, and how many there are.
MISSING_KEPT = 60
MISSING_A_SECTION = 5
SENTENCE_CHARACTERS = 300
FAULTS_KEPT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Sentences without support (with reason and value), points that are missing (with their section), and how many there are."""

    unsupported: tuple[dict[str, str], ...] = ()
    missing: tuple[dict[str, str], ...] = ()
    missing_total: int = 0

    def as_json(self) -> dict[str, Any]:
        """As stored in a node's coverage."""
        return {"unsupported": list(self.unsupported), "missing": list(self.missing), "missing_total": self.missing_total}


class SourceCheck:
    """The statements of all sections of a document, read once, to hold the summaries of any of them against."""

    def __init__(self, sources: Sequence[SectionSource]) -> None:
        self._sources = sources
        self._below = children_of(sources)
        self._statements: list[list[Statement]] = [[] for _ in sources]
        # Headings are said too: a summary names its chapters by them.
        for statement in statements([f"{source.title}.\n\n{source.text}" for source in sources]):
            self._statements[statement.section].append(statement)

    def findings(self, section: int, summary: str) -> Findings:
        """What the summary of a section lost and added. In another language than the text nothing can be compared."""
        inside = branch(section, self._below)
        text = " ".join(self._sources[index].text[:2_000] for index in inside[:10])
        languages = language_of(summary), language_of(text)
        if None not in languages and languages[0] != languages[1]:
            return Findings()
        said = statements([summary])
        source = Evidence([statement for index in inside for statement in self._statements[index]])
        faults = unsupported(said, source)
        # That chapter 4 is the fourth is no point of its own.
        gaps = [gap for gap in missing(said, source) if gap.sentence.rstrip(".") != self._sources[gap.section].title.strip().rstrip(".")]
        rows = [
            {
                "key": self._sources[gap.section].key,
                "title": self._sources[gap.section].title,
                "kind": gap.point.kind,
                "value": gap.point.value[:SENTENCE_CHARACTERS],
                "sentence": gap.sentence[:SENTENCE_CHARACTERS],
            }
            for gap in _weightiest(gaps, len(inside))
        ]
        doubts = [{"sentence": fault.sentence, "reason": fault.reason, "value": fault.value} for fault in faults[:FAULTS_KEPT]]
        return Findings(unsupported=tuple(doubts), missing=tuple(rows), missing_total=len(gaps))


def _weightiest(gaps: Sequence[Any], sections: int) -> list[Any]:
    """The weightiest gaps of each section in the order of the source; more a section when there are few sections."""
    most = max(MISSING_A_SECTION, MISSING_KEPT // max(1, sections))
    by_section: dict[int, list[Any]] = {}
    for gap in gaps:
        by_section.setdefault(gap.section, []).append(gap)
    kept = [gap for found in by_section.values() for gap in sorted(found, key=lambda g: -g.point.weight)[:most]]
    chosen = kept if len(kept) <= MISSING_KEPT * 4 else sorted(kept, key=lambda g: -g.point.weight)[: MISSING_KEPT * 4]
    return sorted(chosen, key=lambda gap: gap.point.statement)
