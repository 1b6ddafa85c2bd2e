"""docs/benchmarks.md: each benchmark keeps its tables between two markers of its own."""

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_HEAD = """# Benchmarks

Figures measured with `./scripts/bench NAME`, which prints the table and puts it here. The machine is named above each table; other work
ran on it at the same time, so times are upper bounds.
"""


def keep(name: str, text: str) -> None:
    """Put `text` between the markers of `name`, at the end of the page when it has none yet."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else _HEAD
    opening, closing = f"<!-- {name} -->", f"<!-- /{name} -->"
    if opening not in page:
        page = f"{page.rstrip()}\n\n{opening}\n{closing}\n"
    before, _, rest = page.partition(opening)
    _, _, after = rest.partition(closing)
    PAGE.write_text(f"{before}{opening}\n{text.strip()}\n{closing}{after}", encoding="utf-8")
