"""A LayoutLMv3 as evidence: a small one with random weights, so what is shown is the plumbing, never what such a model is worth."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from es_mappings.errors import SettingsError
from es_mappings.settings import read_settings
from ingest.blocks import Reading
from ingest.formats import ReadOptions, SlowStage, pdf
from ingest.pdf.evidence import chosen_evidence
from ingest.pdf.layoutlm import is_heading_class, picture_of
from ingest.reader import open_reader
from tests.pdf_pages import FILLER, new_document, write_pdf
from tests.read_documents import headings

HEADING, TEXT = "B-Section-header", "O"


def _book(path: Path, pages: int = 2, sentences: int = 40) -> Path:
    """Sure heads, and on each page one line in doubt: italic, in the text's size."""
    document, writer = new_document()
    for number in range(pages):
        writer.new_page().line(f"Pond {number + 1}", 18, "hebo").text(4, size=7, width=500)
        writer.line("Frogs of the pond", 7, "heit", above=5).text(sentences, size=7, width=500)
    return write_pdf(path, document)


def _model(folder: Path, labels: Sequence[str], says: str = "") -> Path:
    """A LayoutLMv3 with random weights; with `says` its classifier always names that class."""
    import torch
    from transformers import LayoutLMv3Config, LayoutLMv3ForTokenClassification, LayoutLMv3Tokenizer

    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    letters = [chr(code) for code in range(33, 127)]
    vocabulary = {text: number for number, text in enumerate([*marks, "Ġ", *letters])}
    LayoutLMv3Tokenizer(vocab=vocabulary, merges=[]).save_pretrained(folder)
    torch.manual_seed(7)
    config = LayoutLMv3Config(
        vocab_size=len(vocabulary), hidden_size=24, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        coordinate_size=4, shape_size=4, input_size=32, patch_size=16, max_position_embeddings=514,
        bos_token_id=0, pad_token_id=1, eos_token_id=2, id2label=dict(enumerate(labels)), label2id={n: i for i, n in enumerate(labels)},
    )  # fmt: skip
    model = LayoutLMv3ForTokenClassification(config)
    if says:
        with torch.no_grad():
            last = model.classifier if hasattr(model.classifier, "bias") else model.classifier.out_proj
            last.weight.zero_()
            last.bias.fill_(0)
            last.bias[labels.index(says)] = 8
    model.save_pretrained(folder)
    return folder


def _read(path: Path, folder: Path) -> Reading:
    return pdf.read(path, ReadOptions(evidence=f"layoutlm:{folder}"))


@pytest.mark.torch
def test_a_model_that_names_headings_speaks_for_doubtful_lines_only_and_one_that_does_not_against_them(tmp_path: Path) -> None:
    path = _book(tmp_path / "a.pdf")
    no = _read(path, _model(tmp_path / "no", [TEXT, HEADING], says=TEXT))
    assert headings(no) == [(1, "Pond 1"), (1, "Pond 2")]
    yes = _read(path, _model(tmp_path / "yes", [TEXT, HEADING], says=HEADING))
    assert [text for _, text in headings(yes)] == ["Pond 1", "Frogs of the pond", "Pond 2", "Frogs of the pond"]
    assert "\n".join(block.text for block in no.blocks) == "\n".join(block.text for block in yes.blocks)
    assert all(block.confidence < 1 for block in yes.blocks if block.kind == "heading")


@pytest.mark.torch
def test_pages_of_more_than_512_tokens_go_through_overlapping_windows_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import LayoutLMv3ForTokenClassification

    asked: list[tuple[int, ...]] = []
    forward = LayoutLMv3ForTokenClassification.forward

    def watched(self: Any, **inputs: Any) -> Any:
        assert int(inputs["bbox"].min()) >= 0
        assert int(inputs["bbox"].max()) <= 1000
        assert inputs["pixel_values"].shape[1:] == (3, 32, 32)
        asked.append(tuple(inputs["input_ids"].shape))
        return forward(self, **inputs)

    monkeypatch.setattr(LayoutLMv3ForTokenClassification, "forward", watched)
    heard: list[tuple[SlowStage, int, int]] = []
    options = ReadOptions(evidence=f"layoutlm:{_model(tmp_path / 'm', ['Text', 'Title'])}", announce=lambda *step: heard.append(step))
    first, again = (pdf.read(_book(tmp_path / "a.pdf", pages=3, sentences=70), options) for _ in range(2))
    assert first == again, "the same page gets the same answer"
    assert heard[:3] == [("looking", 0, 3), ("looking", 1, 3), ("looking", 2, 3)]
    assert sum(rows for rows, _ in asked) > 2 * 3
    assert all(rows <= 4 and width == 512 for rows, width in asked)
    assert any(rows > 1 for rows, _ in asked)


@pytest.mark.torch
def test_the_model_runs_in_the_confined_reader_and_a_heading_that_it_alone_found_says_so_with_its_confidence(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.new_page().line("Pond", 18, "hebo").text(8)
    writer.line("frogs of the pond", 11, "heit", above=6).text(8)
    path = write_pdf(tmp_path / "a.pdf", document)
    folder = _model(tmp_path / "m", [TEXT, HEADING], says=HEADING)
    with open_reader(read_settings(pdf_evidence=f"layoutlm:{folder}", reader_seconds=300)) as read:
        found = read(path, ReadOptions())
    block = next(block for block in found.blocks if block.text == "frogs of the pond")
    assert (block.kind, block.source) == ("heading", "layout_model")
    assert 0.5 < block.confidence < 0.9


@pytest.mark.torch
def test_a_model_without_classes_for_headings_or_with_broken_weights_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="id2label"):
        _read(_book(tmp_path / "a.pdf"), _model(tmp_path / "m", ["LABEL_0", "LABEL_1"]))
    broken = _model(tmp_path / "broken", [TEXT, HEADING])
    (broken / "model.safetensors").write_bytes(b"{}")
    with pytest.raises(SettingsError, match="check its files"):
        chosen_evidence(f"layoutlm:{broken}")


def test_a_folder_that_holds_no_safe_layoutlm_is_refused_before_torch_is_loaded(tmp_path: Path) -> None:
    for config, hint in ((None, "config.json"), ({"model_type": "bert"}, "LayoutLMv3"), ({"model_type": "layoutlmv3"}, "safetensors")):
        if config is not None:
            (tmp_path / "config.json").write_text(json.dumps(config))
        with pytest.raises(SettingsError, match=hint):
            chosen_evidence(f"layoutlm:{tmp_path}")


def test_without_torch_the_setting_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "layoutlmv3"}))
    (tmp_path / "model.safetensors").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SettingsError, match="pip install"):
        chosen_evidence(f"layoutlm:{tmp_path}")


def test_classes_that_mean_a_heading_are_told_by_their_names() -> None:
    yes = ("Title", "Section-header", "B-HEADER", "I-header", "section", "doc_title", "paragraph_title", "H2", "SubTitle", "heading")
    no = ("Page-header", "Table header", "O", "LABEL_0", "Text", "caption", "B-QUESTION", "footer", "List-item")
    assert [name for name in (*yes, *no) if is_heading_class(name)] == list(yes)


def test_the_picture_of_a_page_is_square_and_normalised_whatever_the_page_is(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line(FILLER[:60], 30, "hebo")
    for rotation in (0, 90):
        document[0].set_rotation(rotation)
        picture = picture_of(document[0], 32, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
        assert (picture.shape, picture.dtype) == ((3, 32, 32), np.float32)
        assert -1 <= picture.min() < picture.max() == 1
