"""What the package document of an EPUB says: properties, the files in reading order, where the navigation is."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from es_mappings.errors import EncryptedDocument, MalformedDocument
from ingest.archives import Archive

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Mangled fonts are no protection of the text (EPUB 3.3, section 4.2.6.3.1; Adobe's older form).
_FONT_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/xml", "text/xml"})
_PROPERTIES = {"creator": "author", "date": "date", "language": "language", "publisher": "publisher", "subject": "subject"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """`spine` are the names of the pages in reading order; `navigation` and `ncx` are names of members, "" when there is none."""

    title: str
    properties: dict[str, str]
    spine: tuple[str, ...]
    navigation: str
    ncx: str
    sheets: tuple[str, ...]


def read_package(archive: Archive, name: str) -> Package:
    """Read the package document. Raises MalformedDocument, EncryptedDocument."""
    _refuse_protected(archive, name)
    place = next((item.get("full-path", "") for item in _named(xml(archive, _CONTAINER, name), "rootfile")), "")
    root = xml(archive, place, name)
    folder = posixpath.dirname(place)
    items = {item.get("id", ""): item for item in _named(root, "item")}
    places = {key: member_name(folder, item.get("href", "")) for key, item in items.items()}
    spine_element = next(_named(root, "spine"), None)
    if spine_element is None:
        raise MalformedDocument(f"{name} names no pages: fetch the book again")
    order = [ref.get("idref", "") for ref in _named(spine_element, "itemref")]
    navigation = next((key for key, item in items.items() if "nav" in item.get("properties", "").split()), "")
    ncx = spine_element.get("toc") or next((key for key, item in items.items() if item.get("media-type") == "application/x-dtbncx+xml"), "")
    pages = [key for key in order if key in items and items[key].get("media-type", "") in _PAGES and key != navigation]
    properties: dict[str, str] = {}
    for element in root.iter(etree.Element):
        key = _PROPERTIES.get(local_name(element))
        if key and element.text and "purl.org/dc" in str(element.tag):
            properties.setdefault(key, element.text.strip())
    title = next((element.text.strip() for element in _named(root, "title") if element.text), "")
    return Package(
        title=title,
        properties=properties,
        spine=tuple(dict.fromkeys(places[key] for key in pages)),
        navigation=places.get(navigation, ""),
        ncx=places.get(ncx, ""),
        sheets=tuple(places[key] for key, item in items.items() if item.get("media-type") == "text/css"),
    )


def xml(archive: Archive, member: str, name: str) -> etree._Element:
    """The root of an XML member; entities are never resolved. Raises MalformedDocument."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(archive.read(member), parser)
    except etree.XMLSyntaxError:
        raise MalformedDocument(f"{name} holds XML that cannot be parsed: fetch the book again") from None


def member_name(folder: str, target: str) -> str:
    """The member that a link inside a file of `folder` means, without its anchor."""
    return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0]))).lstrip("/")


def local_name(element: etree._Element) -> str:
    """The tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _named(root: etree._Element, name: str) -> Iterator[etree._Element]:
    return (element for element in root.iter(etree.Element) if local_name(element) == name)


def _refuse_protected(archive: Archive, name: str) -> None:
    if _ENCRYPTION not in archive:
        return
    methods = [str(item.get("Algorithm", "")) for item in _named(xml(archive, _ENCRYPTION, name), "EncryptionMethod")]
    if not methods or any(method not in _FONT_ONLY for method in methods):
        raise EncryptedDocument(f"{name} is protected by DRM: only its own reading program can open it; store a copy without protection")
