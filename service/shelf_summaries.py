"""The overview of a collection, as a reader may see it: the stored one, or, for want of a right to all of it, document by document."""

from dataclasses import replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.derived import derived_id
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from es_mappings.revisions import node_id
from ingest.summaries.extractive import extract
from ingest.summaries.prompts import Passage
from service.shelf import list_documents
from service.summarising import Summaries
from service.summary_results import SectionRow, SummaryResult, worst

PART_TOKENS = 200


class ShelfSummaries:
    """Reads what was made across the documents of a collection."""

    def __init__(self, *, index: Index, access: AccessRegistry, summaries: Summaries) -> None:
        self._index, self._access, self._summaries = index, access, summaries

    def overview(self, reader: Reader, collection: str) -> SummaryResult:
        """The overview of a collection. Raises NotFound when the reader sees no document of it."""
        documents = {row["doc_id"]: row["title"] for row in list_documents(self._index, self._access, reader, collection)}
        if not documents:
            raise NotFound(f"there is no document in the collection {collection}: `sectionary documents` lists what is stored")
        doc_id = derived_id(collection, "overview")
        stored = self._index.get(self._index.documents, doc_id)
        manifest = Manifest.from_source(stored.source) if stored else None
        node = self._node(manifest) if manifest and manifest.revision else None
        if node is None:
            return replace(self._by_document(reader, collection, documents), state="pending")
        if manifest is None or not self._access.allows(reader, node.access):
            return self._by_document(reader, collection, documents)
        failed = {entry["key"]: entry["error"] for entry in node.coverage.get("failed", ())}
        members = [key for key in node.source_keys if "/" not in key]
        rows = tuple(
            SectionRow(
                key=key, title=documents[key], tokens=1, included=key in members and key not in failed, error=_why(key, members, failed)
            )
            for key in documents
        )
        aged = manifest.summary_state == "stale" or set(members) != set(documents)
        state = "stale" if aged else "partial" if failed else "fresh"
        return SummaryResult(
            doc_id=doc_id,
            title=manifest.title,
            section_key=doc_id,
            summary=node.content,
            mode="llm" if node.coverage.get("mode") == "llm" else "extractive",
            state=state,  # type: ignore[arg-type]  # one of the three literals above
            share=sum(row.included for row in rows) / len(rows),
            sections=rows,
            made_at=node.ingested_at,
        )

    def _node(self, manifest: Manifest) -> Node | None:
        shape = Node(
            collection=manifest.collection, doc_id=manifest.doc_id, revision=manifest.revision, kind="document", level=0, ordinal=0,
            title="", section_path="", section_key="",
        )  # fmt: skip
        stored = self._index.get(self._index.headings, node_id(shape))
        return Node.from_source(stored.source) if stored else None

    def _by_document(self, reader: Reader, collection: str, documents: dict[str, str]) -> SummaryResult:
        """Each document's summary in short, as the reader may see it."""
        results = {doc_id: self._summaries.read(reader, self._summaries.find(reader, doc_id)) for doc_id in documents}
        parts = [
            f"{documents[i]}\n{extract([Passage(heading='', text=one.summary)], PART_TOKENS)}" for i, one in results.items() if one.summary
        ]
        rows = tuple(
            SectionRow(
                key=i, title=documents[i], tokens=1, included=bool(one.summary), error=None if one.summary else "there is no summary yet"
            )
            for i, one in results.items()
        )
        return SummaryResult(
            doc_id=derived_id(collection, "overview"),
            title=f"Overview of {collection}",
            section_key=derived_id(collection, "overview"),
            summary="\n\n".join(parts),
            mode="extractive",
            state=worst([*(one.state for one in results.values())]),
            share=sum(row.included for row in rows) / len(rows),
            sections=rows,
            from_parts=True,
        )


def _why(key: str, members: list[str], failed: dict[str, str]) -> str | None:
    return failed.get(key) or (None if key in members else "it came after the overview was made")
