"""References in real documents, held against passages labelled by hand; `./scripts/bench references` names what is missed."""

import pytest
from _references import LABELS, score
from read_documents import read, shared

from ingest.cleaning import clean_reading
from ingest.outline import build_outline

DOCUMENTS = {
    "rust-book-en": "md/rust-book-en",
    "rust-book-zh": "md/rust-book-zh",
    "en-sec-regbi-proposed-408p": "pdf/en-sec-regbi-proposed-408p.pdf",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_references_are_found_and_lead_where_a_person_would_go(name):
    path = shared(DOCUMENTS[name])
    result = score(build_outline(clean_reading(read(path)), path.stem), LABELS / f"{name}.json")

    assert result.lost <= 0.1 * result.passages, "so many passages have changed that they must be labelled anew"
    assert result.precision >= 0.95, result.wrong
    assert result.recall >= 0.85, result.missed
