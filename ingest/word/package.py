"""Opening a .docx safely: its zip is a judged archive, and its XML never resolves anything, not even in a relationships part."""

import posixpath
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from lxml import etree

from es_mappings.errors import DisguisedDocument, EncryptedDocument, LimitExceeded, MalformedDocument
from ingest.archives import Archive
from ingest.word.names import Element

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# An element costs about 150 bytes of memory; the 872-page handbook that this was measured on has 74,000.
MOST_TAGS = 8_000_000

_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
)
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One arrow of the package: `kind` is the last word of its type ("styles"), `target` a part's name, or a URL when external."""

    kind: str
    target: str
    external: bool


class Package:
    """The parts of one Word file. Close it after use (`with open_package(path) as package`)."""

    def __init__(self, archive: Archive, name: str) -> None:
        self._archive = archive
        self._name = name
        main = self._first(self.relationships(""), "officeDocument")
        self.main = main if main and self.has(main) else "word/document.xml"
        if not self.has(self.main):
            raise MalformedDocument(f"{name} holds no Word document: save it again from its program")
        self.links = self.relationships(self.main)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._archive.close()

    def has(self, part: str) -> bool:
        """Whether the package has this part; names are compared without case."""
        return part in self._archive

    def related(self, kind: str) -> str | None:
        """The name of the part that the main document uses as its `kind` ("styles", "numbering", "footnotes"), or None."""
        target = self._first(self.links, kind)
        return target if target and self.has(target) else None

    def root_related(self, kind: str) -> str | None:
        """The same for the package as a whole ("core-properties")."""
        target = self._first(self.relationships(""), kind)
        return target if target and self.has(target) else None

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The relationships of a part ("" for the package) by id; none when they are missing."""
        folder, _, base = part.rpartition("/")
        source = posixpath.join(folder, "_rels", f"{base}.rels")
        if not self.has(source):
            return {}
        found = {}
        for item in self.xml(source).iter(_RELATIONSHIP):
            external = item.get("TargetMode") == "External"
            target = item.get("Target", "")
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            kind = item.get("Type", "").rpartition("/")[2]
            found[item.get("Id", "")] = Relationship(kind=kind, target=target, external=external)
        return found

    def xml(self, part: str) -> Element:
        """The parsed root of an XML part. Raises MalformedDocument or LimitExceeded."""
        data = self._archive.read(part)
        if data.count(b"<") > MOST_TAGS:
            raise LimitExceeded(f"{self._name} has more than {MOST_TAGS // 2:,} elements in one part: split the document")
        if b"<!DOCTYPE" in data:
            raise MalformedDocument(f"{self._name} declares a document type, which no Word file does: it is damaged or hostile")
        if b"purl.oclc.org" in data[:4096]:
            for strict, transitional in _STRICT:
                data = data.replace(strict, transitional)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError:
            raise MalformedDocument(f"{self._name} holds XML that cannot be parsed: open and save it again in Word") from None
        if root.getroottree().docinfo.internalDTD is not None:
            raise MalformedDocument(f"{self._name} declares a document type, which no Word file does: it is damaged or hostile")
        return root

    @staticmethod
    def _first(relationships: dict[str, Relationship], kind: str) -> str | None:
        return next((link.target for link in relationships.values() if link.kind == kind and not link.external), None)


def open_package(path: Path) -> Package:
    """Open a Word file after judging it. Raises EncryptedDocument, DisguisedDocument, MalformedDocument or LimitExceeded."""
    with path.open("rb") as stream:
        if stream.read(len(OLE_MAGIC)) == OLE_MAGIC:
            _refuse_ole(path)
    archive = Archive(path)
    try:
        return Package(archive, path.name)
    except BaseException:
        archive.close()
        raise


def _refuse_ole(path: Path) -> None:
    """An OLE file instead of a zip: an encrypted document or one of the format before 2007."""
    if _ENCRYPTED_STREAM in path.read_bytes():
        raise EncryptedDocument(f"{path.name} is encrypted: open it in Word, remove the password, and store that copy")
    raise DisguisedDocument(f"{path.name} has the old Word format (.doc): open it in Word or LibreOffice and save it as .docx")
