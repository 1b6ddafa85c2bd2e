"""Small Word files for tests, made of the XML that Word writes: only what a test is about, the rest as short as the format allows."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from ingest.blocks import Block, Reading
from ingest.formats import ReadOptions, choose_reader, take_sample

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    }.items()
)
RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SENTENCE = "The body of a document is made of sentences like this one, which goes on long enough to be text and ends in a full stop."


def p(text: str = "", *, style: str = "", properties: str = "", run: str = "") -> str:
    """A paragraph; `properties` goes into its w:pPr, `run` into the w:rPr of its only run."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{r(text, run)}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>' if text else ""


def bold(text: str, points: float = 0, properties: str = "") -> str:
    """A paragraph in bold, at a size in points when given."""
    size = f'<w:sz w:val="{round(points * 2)}"/>' if points else ""
    return p(text, properties=properties, run=f"<w:b/>{size}")


def style(
    style_id: str, name: str, *, base: str = "", paragraph: str = "", run: str = "", kind: str = "paragraph", default: bool = False
) -> str:
    """A style for the style sheet."""
    parent = f'<w:basedOn w:val="{base}"/>' if base else ""
    is_default = ' w:default="1"' if default else ""
    return (
        f'<w:style w:type="{kind}"{is_default} w:styleId="{style_id}"><w:name w:val="{name}"/>{parent}'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def headings(count: int = 3) -> str:
    """Word's own heading styles."""
    return "".join(
        style(f"Heading{n}", f"heading {n}", base="Normal", paragraph=f'<w:outlineLvl w:val="{n - 1}"/>') for n in range(1, count + 1)
    )


def number(number_id: int | str, level: int | None = 0) -> str:
    """The numbering of a paragraph."""
    index = "" if level is None else f'<w:ilvl w:val="{level}"/>'
    return f'<w:numPr>{index}<w:numId w:val="{number_id}"/></w:numPr>'


def level(index: int, text: str, fmt: str = "decimal", start: int = 1, more: str = "") -> str:
    """One level of an abstract list."""
    return f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{fmt}"/>{more}<w:lvlText w:val="{escape(text)}"/></w:lvl>'


def abstract(number: int, *levels: str, more: str = "") -> str:
    """An abstract list."""
    return f'<w:abstractNum w:abstractNumId="{number}">{more}{"".join(levels)}</w:abstractNum>'


def num(number: int, abstract_number: int, overrides: str = "") -> str:
    """A list that counts in an abstract one."""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{abstract_number}"/>{overrides}</w:num>'


def field(code: str, result: str, inner: str = "") -> str:
    """A complex field in runs; `inner` is XML in the result."""
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    return (
        f"{mark.format('begin')}<w:r><w:instrText> {escape(code)} </w:instrText></w:r>{mark.format('separate')}"
        f"{r(result)}{inner}{mark.format('end')}"
    )


def write_docx(
    folder: Path,
    body: str,
    *,
    styles: str = "",
    numbering: str = "",
    parts: Mapping[str, str | bytes] | None = None,
    links: str = "",
    core: str = "",
    name: str = "document.docx",
) -> Path:
    """Write a Word file. `parts` are further entries by name; `links` further relationships of the document; `core` its properties."""
    normal = style("Normal", "Normal", default=True)
    defaults = '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>'
    entries: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": relationships(relationship("rId1", "officeDocument", "word/document.xml") + CORE_LINK),
        "word/_rels/document.xml.rels": relationships(
            "".join(
                relationship(f"rId{kind}", kind, f"{kind}.xml")
                for kind in ("styles", "numbering", "footnotes", "endnotes")
                if kind in ("styles", "numbering") or f"word/{kind}.xml" in (parts or {})
            )
            + links
        ),
        "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
        "word/styles.xml": part("styles", f"{defaults}{normal}{styles}"),
        "word/numbering.xml": part("numbering", numbering),
        "docProps/core.xml": (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
            f' xmlns:dc="http://purl.org/dc/elements/1.1/">{core}</cp:coreProperties>'
        ),
        **(parts or {}),
    }
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    return path


CORE_LINK = (
    '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"'
    ' Target="docProps/core.xml"/>'
)


def part(root: str, content: str) -> str:
    """An XML part with all namespaces declared."""
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {NAMESPACES}>{content}</w:{root}>'


def relationships(content: str) -> str:
    """A relationships part."""
    return f'<Relationships xmlns="{PACKAGE}/relationships">{content}</Relationships>'


def relationship(identity: str, kind: str, target: str, *, external: bool = False) -> str:
    """One relationship."""
    mode = ' TargetMode="External"' if external else ""
    return f'<Relationship Id="{identity}" Type="{RELATIONSHIP}/{kind}" Target="{target}"{mode}/>'


def read_docx(path: Path, *without: str) -> Reading:
    """What the chosen reader makes of a file."""
    return choose_reader(take_sample(path, 10**9)).read(path, ReadOptions(without=frozenset(without)))


def outline(reading: Reading) -> list[tuple[int, str | None, str]]:
    """(level, number, text) of each heading."""
    return [(block.level, block.number, block.text) for block in reading.blocks if block.kind == "heading"]


def titles(reading: Reading) -> list[tuple[int, str]]:
    """(level, text) of each heading."""
    return [(level, text) for level, _, text in outline(reading)]


def texts(reading: Reading, kind: str = "") -> list[str]:
    """The texts of the blocks, of one kind when given."""
    return [block.text for block in reading.blocks if kind in ("", block.kind)]


def only(reading: Reading, kind: str) -> Block:
    """The one block of a kind."""
    found = [block for block in reading.blocks if block.kind == kind]
    assert len(found) == 1, f"{len(found)} blocks of kind {kind}"
    return found[0]
