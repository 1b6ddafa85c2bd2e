"""A LayoutLMv3 token classifier (Huang et al. 2022, arXiv 2204.08387) from a local folder: words, their places, the page's picture.

Not measured: no trained weights for headings were available (docs/decisions/0011). Nothing is downloaded.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pymupdf

from es_mappings.errors import SettingsError
from ingest.blocks import StructureSource
from ingest.formats import Announce
from ingest.model_folder import open_model_folder, read_json
from ingest.pdf.evidence import DOUBT, SETTING
from ingest.pdf.units import Unit
from ingest.pdf.words import Word, page_words

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls

_TOKENS = 512  # what the published models have positions for
_SHARED = 128  # tokens that neighbouring windows share, so that no word lacks its surroundings
_BATCH = 4
_MOST = 2.5  # log odds: as much as the rules' own doubt and a little more, however sure the model is
_MEAN = _STD = (0.5, 0.5, 0.5)  # of the published models, where preprocessor_config.json says nothing else
# Names of classes in PubLayNet, DocLayNet, DocBank, FUNSD and kin; "page-header" and "table-header" are none.
_HEADING = re.compile(r"(?:(?:doc|document|section|sub|subsection|chapter|paragraph|part)?(?:title|header|heading)|section|h[1-6])s?")
_POSITION = re.compile(r"^[BIESLU]-")


class _Window(NamedTuple):
    """Up to 512 tokens of a page: the model's inputs, and the unit of each token (None for special ones)."""

    inputs: dict[str, Any]
    units: tuple[int | None, ...]


class LayoutLm:
    """Asks the model about pages with units in doubt."""

    source: StructureSource = "layout_model"

    def __init__(self, *, tokenizer: Any, model: Any, folder: Path, announce: Announce) -> None:
        """`model` is a LayoutLMv3ForTokenClassification. Raises SettingsError when none of its classes is a heading."""
        self._tokenizer, self._model, self._announce = tokenizer, model, announce
        self._headings = [int(index) for index, name in model.config.id2label.items() if is_heading_class(str(name))]
        if not self._headings or len(self._headings) == len(model.config.id2label):
            raise SettingsError(
                f"no class of the model in {folder.name} is named as a heading (title, section-header ...): set id2label in its config.json"
            )
        self._mean, self._std = _normalisation(folder)

    @classmethod
    def open(cls, argument: str, announce: Announce) -> Self:
        """The model in a folder with config.json, tokenizer files and model.safetensors. Raises SettingsError when it cannot be used."""
        folder = Path(argument).expanduser()
        if read_json(folder / "config.json").get("model_type") != "layoutlmv3":
            raise SettingsError(
                f"{SETTING}=layoutlm:FOLDER needs a folder with a LayoutLMv3: config.json, tokenizer files, model.safetensors"
            )
        model, tokenizer = open_model_folder(folder, setting=SETTING, architecture="LayoutLMv3ForTokenClassification", scheme="layoutlm")
        return cls(tokenizer=tokenizer, model=model, folder=folder, announce=announce)

    def log_odds(self, document: Any, units: Sequence[Unit], scores: Mapping[int, float]) -> Mapping[int, float]:
        """See `Evidence`. The model's own log odds of a unit, its tokens' mean, within 2.5 of none."""
        asked = {index for index, score in scores.items() if abs(score) <= DOUBT}
        pages = defaultdict(list)
        for unit in units:
            pages[unit.page].append(unit)
        numbers = sorted({units[index].page for index in asked})
        shares: dict[int, list[float]] = defaultdict(list)
        batch: list[_Window] = []
        for done, number in enumerate(numbers):
            self._announce("looking", done, len(numbers))
            batch += self._windows(document[number - 1], pages[number])
            if len(batch) >= _BATCH or done == len(numbers) - 1:
                self._classify(batch, shares)
                batch = []
        return {index: _bounded(sum(shares[index]) / len(shares[index])) for index in asked if shares[index]}

    def _windows(self, page: Any, units: Sequence[Unit]) -> Iterator[_Window]:
        words = page_words(units, float(page.rect.width), float(page.rect.height))
        if not words:
            return
        import torch  # here: an optional dependency of several GB

        picture = torch.from_numpy(picture_of(page, int(self._model.config.input_size), self._mean, self._std))
        encoded = self._tokenizer(
            [word.text for word in words], boxes=[list(word.box) for word in words], truncation=True, max_length=_TOKENS,
            stride=_SHARED, return_overflowing_tokens=True, padding="max_length", return_tensors="pt",
        )  # fmt: skip
        for row in range(len(encoded["input_ids"])):
            inputs = {name: encoded[name][row] for name in ("input_ids", "attention_mask", "bbox")} | {"pixel_values": picture}
            yield _Window(inputs, _units(words, encoded.word_ids(row)))

    def _classify(self, windows: Sequence[_Window], shares: dict[int, list[float]]) -> None:
        """Add, for each token, the probability that the model gives to its classes of headings to the list of its unit."""
        import torch  # here: an optional dependency of several GB

        for start in range(0, len(windows), _BATCH):
            part = windows[start : start + _BATCH]
            with torch.inference_mode():
                inputs = {name: torch.stack([window.inputs[name] for window in part]) for name in part[0].inputs}
                logits = self._model(**inputs).logits
                likely = logits.softmax(-1)[..., self._headings].sum(-1).tolist()
            for window, row in zip(part, likely, strict=True):
                # The picture's patches follow the tokens where a model returns them.
                for unit, share in zip(window.units, row, strict=False):
                    if unit is not None:
                        shares[unit].append(float(share))


def is_heading_class(name: str) -> bool:
    """Whether a class of a model stands for headings, by its name ("B-HEADER", "Section-header", "Title" ...)."""
    return _HEADING.fullmatch(re.sub(r"[\W_]", "", _POSITION.sub("", name)).casefold()) is not None


def picture_of(page: Any, side: int, mean: Sequence[float], std: Sequence[float]) -> Any:
    """The whole page as a float32 array (3, side, side), normalised; the page's shape is not kept, as in training."""
    pixmap = page.get_pixmap(
        matrix=_PYMUPDF.Matrix(side / page.rect.width, side / page.rect.height), colorspace=_PYMUPDF.csRGB, alpha=False
    )
    rows = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)[:, : 3 * pixmap.width]
    found = np.ones((side, side, 3), dtype=np.float32)
    height, width = min(side, pixmap.height), min(side, pixmap.width)
    found[:height, :width] = rows.reshape(pixmap.height, pixmap.width, 3)[:height, :width] / np.float32(255)
    normal = (found - np.asarray(mean, dtype=np.float32)) / np.asarray(std, dtype=np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1))


def _units(words: Sequence[Word], places: Sequence[int | None]) -> tuple[int | None, ...]:
    return tuple(None if place is None else words[place].unit for place in places)


def _bounded(share: float) -> float:
    odds = math.log(max(share, 1e-6) / max(1 - share, 1e-6))
    return max(-_MOST, min(_MOST, odds))


def _normalisation(folder: Path) -> tuple[Sequence[float], Sequence[float]]:
    kept = read_json(folder / "preprocessor_config.json")
    return kept.get("image_mean") or _MEAN, kept.get("image_std") or _STD
