"""What the benchmarks share: where the data lies, a table, percentiles, and the machine in one line."""

import argparse
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

DATA = Path(__file__).parents[2].parent / "shared" / "data"


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser with the option that every benchmark has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the measuring documents")
    return parser


def machine() -> str:
    """The machine in one line: cores, memory, processor, Python."""
    model = next((line.split(":")[1].strip() for line in _cpu_lines() if line.startswith("model name")), platform.machine())
    memory = psutil.virtual_memory().total / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {model}, Python {platform.python_version()}"


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of the values lie."""
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table, so that it can be pasted into docs/benchmarks.md."""
    sys.stdout.write(markdown(header, rows))
    sys.stdout.flush()


def markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; fractions with three digits."""
    cells = [header, ["---"] * len(header), *([f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows)]
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)
