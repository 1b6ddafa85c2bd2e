"""A small random cross-encoder, really run by torch: it scores, its deadline holds, and a search is reranked by it."""

from pathlib import Path
from typing import Any

import pytest
from bookshelf import HANDBOOK, open_shelf

from es_mappings.access import OWNER
from es_mappings.errors import DeadlineExceeded, SettingsError
from es_mappings.settings import Settings, read_settings
from service.reranking import open_reranker
from service.reranking.ordering import open_reranking
from service.searching import Searcher, SearchRequest

pytestmark = pytest.mark.torch

WORDS = tuple("the kiln is fired to degrees glove safety wear clay cooling pot glaze a of and how hot".split(" "))  # noqa: SIM905
QUESTION = "how hot is the kiln"
PASSAGES = ("the kiln is fired", "wear a glove", "clay and glaze and pot", "cooling of the pot")


def save_model(folder: Path, *, labels: int = 1, safe: bool = True) -> Path:
    """A BERT of 2 layers and 32 numbers a token, with random weights and a window of 48 tokens."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {word: n for n, word in enumerate([*special, *WORDS, "…"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", model_max_length=48
    )
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=48, num_labels=labels, initializer_range=0.5,
    )  # fmt: skip
    folder.mkdir(parents=True)
    model = BertForSequenceClassification(config)
    if safe:
        model.save_pretrained(folder)
    else:
        config.save_pretrained(folder)
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    fast.save_pretrained(folder)
    return folder


def opened(folder: Path, **more: Any) -> Any:
    reranker = open_reranker(read_settings(reranker=f"transformers:{folder}", **more))
    assert reranker is not None
    return reranker


def logits(folder: Path, question: str, passage: str) -> list[float]:
    """What the model itself says, one pair at a time, without our code."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(str(folder)).eval()
    pair = AutoTokenizer.from_pretrained(str(folder))(question, passage, return_tensors="pt")
    with torch.inference_mode():
        return [float(value) for value in model(**pair).logits[0]]


@pytest.mark.parametrize("labels", [1, 2])
def test_batches_give_what_the_model_says_pair_by_pair(tmp_path: Path, labels: int) -> None:
    folder = save_model(tmp_path / "model", labels=labels)
    passages = [*PASSAGES, *(" ".join(WORDS[: n + 1]) for n in range(9))]
    scores = opened(folder).scores(QUESTION, passages)
    alone = [logits(folder, QUESTION, passage) for passage in passages]
    assert scores == pytest.approx([pair[0] if labels == 1 else pair[1] - pair[0] for pair in alone], abs=1e-4)
    assert len({round(score, 4) for score in scores}) > 3, "random weights tell passages apart"


def test_a_passage_beyond_the_window_is_judged_by_both_ends(tmp_path: Path) -> None:
    reranker = opened(save_model(tmp_path / "model"))
    long = " ".join(["wear"] * 100)
    plain, other_end, other_middle = reranker.scores(
        QUESTION, [long, long + " glaze pot", " ".join(["wear"] * 50 + ["clay"] + ["wear"] * 50)]
    )
    assert plain != pytest.approx(other_end, abs=1e-6)
    assert plain == pytest.approx(other_middle, abs=1e-6), "the middle is what is left out"
    assert len(reranker.scores("kiln " * 500, PASSAGES)) == len(PASSAGES), "nor does a long question leave no room"


def test_the_deadline_is_held_between_batches(tmp_path: Path) -> None:
    reranker = opened(save_model(tmp_path / "model"), reranker_seconds=0.001)
    with pytest.raises(DeadlineExceeded):
        reranker.scores(QUESTION, PASSAGES * 20)


def test_a_folder_that_is_no_reranker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="3 classes"):
        opened(save_model(tmp_path / "three", labels=3))
    with pytest.raises(SettingsError, match="safetensors"):
        opened(save_model(tmp_path / "pickled", safe=False))


def test_a_search_is_reranked_by_the_model(settings: Settings, tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model")
    reranked = settings.model_copy(update={"reranker": f"transformers:{folder}"})
    with open_shelf(settings, tmp_path) as shelf:
        shelf.put("handbook.md", HANDBOOK)
        searcher = Searcher(
            index=shelf.store.index, access=shelf.store.access, embedder=shelf.store.embedder, reranking=open_reranking(reranked)
        )
        found = searcher.search(SearchRequest(query="cooling the kiln", explain=True), OWNER)
    scores = [(hit.signals or {})["reranker"]["score"] for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 3
    assert found.degraded == ()
