"""A reading as JSON and back: what crosses the pipe from a reader's process. The far side is not trusted, so every field is checked."""

import json
from dataclasses import asdict, fields
from typing import Any, cast, get_args

from ingest.blocks import Block, BlockKind, Doubt, Link, Reading, StructureSource
from ingest.formats import ReadOptions

_KINDS = frozenset(get_args(BlockKind))
_SOURCES = frozenset(get_args(StructureSource))


def encode_reading(reading: Reading) -> dict[str, Any]:
    """The reading as JSON values; a block keeps only the fields that differ from their defaults."""
    return {
        "title": reading.title,
        "format": reading.format,
        "blocks": [_encode_block(block) for block in reading.blocks],
        "pages": reading.pages,
        "warnings": list(reading.warnings),
        "metadata": reading.metadata,
        "aliases": list(reading.aliases),
    }


def decode_reading(value: Any) -> Reading:
    """The reading that `encode_reading` described; ValueError for anything else."""
    record = _record(value)
    metadata = _record(record.get("metadata", {}))
    return Reading(
        title=_text(record.get("title")),
        format=_text(record.get("format")),
        blocks=tuple(_decode_block(_record(block)) for block in _array(record.get("blocks"))),
        pages=_optional_count(record.get("pages")),
        warnings=_texts(record.get("warnings")),
        metadata={_text(key): _text(item) for key, item in metadata.items()},
        aliases=_texts(record.get("aliases")),
    )


def encode_options(options: ReadOptions) -> dict[str, Any]:
    """The options as JSON values; what listens to the progress stays on this side."""
    values = {item.name: getattr(options, item.name) for item in fields(options) if item.name != "announce"}
    return {**values, "without": sorted(options.without)}


def decode_options(value: dict[str, Any]) -> ReadOptions:
    """The options that `encode_options` described; this side is trusted."""
    return ReadOptions(**{**value, "without": frozenset(value["without"])})


def to_bytes(value: Any) -> bytes:
    """One JSON value as UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _encode_block(block: Block) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": block.kind, "text": block.text}
    if block.level:
        row["level"] = block.level
    for name in ("number", "page", "page_end"):
        value = getattr(block, name)
        if value is not None:
            row[name] = value
    if block.source != "none":
        row["source"] = block.source
    if block.confidence != 1.0:
        row["confidence"] = block.confidence
    if block.header_rows:
        row["header_rows"] = block.header_rows
    if block.detached:
        row["detached"] = True
    if block.links:
        row["links"] = [[link.text, link.target] for link in block.links]
    if block.anchors:
        row["anchors"] = list(block.anchors)
    if block.doubts:
        row["doubts"] = [asdict(doubt) for doubt in block.doubts]
    return row


def _decode_block(row: dict[str, Any]) -> Block:
    kind, source, confidence = row.get("kind"), row.get("source", "none"), row.get("confidence", 1.0)
    text, number = _text(row.get("text")), row.get("number")
    level = _count(row.get("level", 0))
    if kind not in _KINDS or source not in _SOURCES or not text.strip() or (kind == "heading") != (level > 0):
        raise ValueError("a block is out of shape")
    return Block(
        kind=cast(BlockKind, kind),
        text=text,
        level=level,
        number=None if number is None else _text(number),
        page=_optional_count(row.get("page")),
        page_end=_optional_count(row.get("page_end")),
        source=cast(StructureSource, source),
        confidence=_share(confidence),
        header_rows=_count(row.get("header_rows", 0)),
        detached=row.get("detached") is True,
        links=tuple(_decode_link(pair) for pair in _array(row.get("links", []))),
        anchors=_texts(row.get("anchors", [])),
        doubts=tuple(_decode_doubt(_record(doubt)) for doubt in _array(row.get("doubts", []))),
    )


def _decode_doubt(row: dict[Any, Any]) -> Doubt:
    size = row.get("size")
    if not isinstance(size, int | float) or not 0 <= size <= 1_000:
        raise ValueError("a size is out of range")
    return Doubt(line=_count(row.get("line")), probability=_share(row.get("probability")), size=float(size), look=_texts(row.get("look")))


def _decode_link(pair: Any) -> Link:
    text, target = _array(pair)
    return Link(text=_text(text), target=_text(target))


def _record(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ValueError("an object is missing")  # noqa: TRY004  # ValueError is the one error of this module
    return value


def _array(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("an array is missing")  # noqa: TRY004
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(item) for item in _array(value))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is missing")  # noqa: TRY004
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a count is missing")
    return value


def _share(value: Any) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("a share is out of range")
    return float(value)


def _optional_count(value: Any) -> int | None:
    return None if value is None else _count(value)
