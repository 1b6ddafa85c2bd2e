"""What lies around hits in the index: the rest of their sections, and the sections they refer to."""

from collections.abc import Mapping, Sequence
from typing import Any

from es_mappings.index import Index
from es_mappings.records import Node
from service.current import hit_of
from service.results import Hit
from service.scope import Scope, branch_body, own_text_body
from service.signals import SectionPlace

# Chunks on each side of a hit: 13 of 512 tokens are more than the usual budget holds.
WINDOW = 6
REFERRED_CHUNKS = 2
MOST_REFERENCES = 12
# Everything that a hit needs of a chunk; its references are followed one step only.
_FIELDS = tuple(name for name in Node.__dataclass_fields__ if name not in ("embedding", "coverage", "metadata", "reference_keys"))


class StoredSurroundings:
    """The surroundings in one index within one reader's scope; what comes back has the revision of the hit that led there."""

    def __init__(self, index: Index, scope: Scope) -> None:
        """`scope`: who reads, in which collection and sections: nothing outside it comes back."""
        self._index = index
        self._scope = scope

    def sections(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        """See service.packing.Surroundings; one request."""
        chunks = [hit for hit in hits if hit.kind == "chunk"]
        bodies = [
            own_text_body(self._scope, hit.section_key, hit.revision, (hit.ordinal - WINDOW, hit.ordinal + WINDOW), _FIELDS)
            for hit in chunks
        ]
        return {hit.id: found for hit, found in zip(chunks, self._found(bodies, chunks), strict=True)}

    def referred(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        """See service.packing.Surroundings; one request for at most 12 references."""
        leads = {key: hit for hit in reversed(hits) for key in hit.reference_keys}
        keys = list(dict.fromkeys(key for hit in hits for key in hit.reference_keys))[:MOST_REFERENCES]
        bodies = [
            branch_body(self._scope, SectionPlace(doc_id=leads[key].doc_id, key=key), leads[key].revision, REFERRED_CHUNKS, _FIELDS)
            for key in keys
        ]
        return dict(zip(keys, self._found(bodies, [leads[key] for key in keys]), strict=True))

    def _found(self, bodies: Sequence[dict[str, Any]], leads: Sequence[Hit]) -> list[tuple[Hit, ...]]:
        """The chunks of each body as hits that bear the title of the hit that led there."""
        responses = self._index.msearch(bodies)
        return [
            tuple(hit_of(found["_id"], Node.from_source(found["_source"]), lead.doc_title) for found in response["hits"]["hits"])
            for response, lead in zip(responses, leads, strict=True)
        ]
