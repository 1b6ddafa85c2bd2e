"""A picture of which planted facts each way of summarising keeps: a row a way, a dot a section, filled where its fact is kept."""

from collections.abc import Mapping, Sequence
from html import escape

_STEP, _ROW, _LEFT, _TOP = 14, 34, 200, 40
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#4a453d}.kept{fill:#0f5e5a}.lost{fill:none;stroke:#b3aa9a}"
    "@media(prefers-color-scheme:dark){text{fill:#c9c2b4}.kept{fill:#67c3b7}.lost{stroke:#6b665d}}"
)


def kept_plot(kept: Mapping[str, Sequence[bool]]) -> str:
    """The picture as SVG, readable on light and dark pages."""
    sections = max(map(len, kept.values()))
    width, height = _LEFT + sections * _STEP + 70, _TOP + len(kept) * _ROW
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">']
    parts += ["<title>Planted facts kept, by section</title>", f"<style>{_STYLE}</style>"]
    parts += [_text(_LEFT + (number - 1) * _STEP, 20, str(number)) for number in (1, *range(10, sections + 1, 10))]
    for row, (name, facts) in enumerate(kept.items()):
        y = _TOP + row * _ROW + 10
        parts.append(_text(4, y + 4, name))
        parts += [_dot(_LEFT + place * _STEP + 4, y, "kept" if fact else "lost") for place, fact in enumerate(facts)]
        parts.append(_text(_LEFT + sections * _STEP + 12, y + 4, f"{sum(facts)}/{len(facts)}"))
    return "\n".join([*parts, "</svg>\n"])


def _dot(x: int, y: int, kind: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="4.5" class="{kind}"/>'


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(text)}</text>'
