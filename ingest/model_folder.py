"""A transformers model from a local folder: safetensors weights only, no code from the folder, never the network."""

import hashlib
import json
from pathlib import Path
from typing import Any

from es_mappings.errors import SettingsError

_DEFAULT_TOKENS = 512
# Tokenizers without a limit of their own report an absurd one.
_ABSURD_TOKENS = 1_000_000
# RoBERTa's family counts positions from the padding index + 1.
_OFFSET_FAMILY = frozenset({"roberta", "xlm-roberta", "camembert"})


def open_model_folder(folder: Path, *, setting: str, architecture: str, scheme: str = "transformers") -> tuple[Any, Any]:
    """The model (float32, for inference) and the tokenizer in a folder.

    `setting` is the variable that names the folder after `scheme`, for messages; `architecture` the class of transformers to load with.
    Raises SettingsError when the folder cannot be used or torch is not installed.
    """
    if folder == Path() or not (folder / "config.json").is_file():
        raise SettingsError(f"{setting}={scheme}:FOLDER needs a folder with config.json, tokenizer files and model.safetensors")
    if not list(folder.glob("*.safetensors")):
        raise SettingsError(f"{folder.name} has no .safetensors weights: pickled weights can run code and are not loaded; convert them")
    try:
        import torch  # here: an optional dependency of several GB
        import transformers
    except ImportError:
        raise SettingsError(f"{setting}={scheme} needs torch: pip install 'sectionary[torch]'") from None
    try:
        options = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), **options)
        model = getattr(transformers, architecture).from_pretrained(str(folder), use_safetensors=True, dtype=torch.float32, **options)
    except Exception as error:  # noqa: BLE001  # transformers, tokenizers and safetensors each have errors of their own for broken files
        raise SettingsError(f"transformers cannot load the model in {folder.name} ({type(error).__name__}): check its files") from None
    return model.eval(), tokenizer


def token_limit(model: Any, tokenizer: Any) -> int:
    """The most tokens, special ones included, that a model reads at once; 512 when neither part knows."""
    positions = getattr(model.config, "max_position_embeddings", _DEFAULT_TOKENS)
    limit = int(min(limit for limit in (tokenizer.model_max_length, positions) if limit))
    offset = 2 if model.config.model_type in _OFFSET_FAMILY and limit == positions else 0
    return limit - offset if limit < _ABSURD_TOKENS else _DEFAULT_TOKENS


def read_json(path: Path) -> dict[str, Any]:
    """What a JSON file of a model says; {} when it is not there, is broken or holds no object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def fingerprint(folder: Path) -> str:
    """Twelve hex digits over the configuration and every weight file, so that fine-tuned twins get different names."""
    digest = hashlib.sha256((folder / "config.json").read_bytes())
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]
