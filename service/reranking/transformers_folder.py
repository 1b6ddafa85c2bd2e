"""A cross-encoder from a local folder, by torch (ingest/model_folder.py says how it is opened).

Models with one output give a relevance (BGE, MiniLM and Jina rerankers); of two, the second is the class "relevant" (monoBERT,
arXiv 1910.14424) and the score its logit less the other's, which orders like its probability.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from es_mappings.errors import DeadlineExceeded, RerankerUnavailable, SettingsError
from es_mappings.settings import Settings
from ingest.model_folder import fingerprint, open_model_folder, token_limit
from service.reranking import Reranker
from service.reranking.shortening import shortened

# Pairs of 512 tokens: more at once gain nothing on a few cores and make the deadline coarser.
BATCH = 8
# Of the window a question takes at most this share, so that something of the passage is always read.
QUESTION_SHARE = 0.5


def open_reranker(settings: Settings, argument: str) -> Reranker:
    """The model in the folder after "transformers:". Raises SettingsError when it cannot be used."""
    folder = Path(argument).expanduser()
    model, tokenizer = open_model_folder(folder, setting="SECTIONARY_RERANKER", architecture="AutoModelForSequenceClassification")
    if model.config.num_labels not in (1, 2):
        raise SettingsError(f"{folder.name} tells {model.config.num_labels} classes apart: a reranker has one output, or two classes")
    return FolderReranker(model, tokenizer, name=f"transformers:{folder.name}@{fingerprint(folder)}", seconds=settings.reranker_seconds)


class FolderReranker:
    """Batches of 8 pairs; the deadline is looked at between them, so one batch may run over it."""

    def __init__(self, model: Any, tokenizer: Any, *, name: str, seconds: float) -> None:
        self._model, self._tokenizer, self._name, self._seconds = model, tokenizer, name, seconds
        self._limit = token_limit(model, tokenizer)
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._name

    def scores(self, question: str, passages: Sequence[str]) -> tuple[float | None, ...]:
        ends_at = time.monotonic() + self._seconds
        # Tokenizers keep padding state: one question at a time. Waiting for another one counts towards the deadline.
        if not self._lock.acquire(timeout=self._seconds):
            raise self._late()
        try:
            room = self._limit - self._tokenizer.num_special_tokens_to_add(pair=True)
            asked = shortened(question, int(room * QUESTION_SHARE), self._count)
            texts = [shortened(passage, room - self._count(asked), self._count) for passage in passages]
            scores: list[float] = []
            for start in range(0, len(texts), BATCH):
                if time.monotonic() > ends_at:
                    raise self._late()
                scores += self._batch(asked, texts[start : start + BATCH])
        finally:
            self._lock.release()
        if not all(map(math.isfinite, scores)):
            raise RerankerUnavailable("the reranker gave scores that are not numbers: check the model's files")
        return tuple(scores)

    def _count(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"])

    def _batch(self, question: str, passages: Sequence[str]) -> list[float]:
        import torch  # here: an optional dependency

        with torch.inference_mode():
            pairs = self._tokenizer(
                [question] * len(passages),
                list(passages),
                padding=True,
                truncation="only_second",  # a guard: two texts side by side may take a token more than apart
                max_length=self._limit,
                return_tensors="pt",
                verbose=False,
            )
            logits = self._model(**pairs).logits.float()
        outputs = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
        return [float(output) for output in outputs]

    def _late(self) -> DeadlineExceeded:
        return DeadlineExceeded(f"reranking took longer than {self._seconds:g} s: ask for fewer passages or a smaller model")
