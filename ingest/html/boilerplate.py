"""What of a page is not its content: menus, banners, search boxes, scripts, hidden parts. Pure."""

from collections.abc import Iterator

from lxml.html import HtmlElement

NEVER_SHOWN = frozenset(
    {
        "script", "style", "head", "template", "noscript", "iframe", "object", "embed", "svg", "canvas", "audio", "video", "map",
        "button", "select", "input", "textarea", "datalist", "dialog", "nav", "ix:header", "ix:hidden", "math-annotation",
    }
)  # fmt: skip
_SIDE_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "dialog", "alertdialog", "toolbar"}
)
_SIDE_WORDS = """
nav navbar navigation navbox breadcrumb breadcrumbs sidebar site-header site-footer page-header page-footer footer header menu cookie
cookies cookie-banner consent share sharing social advert ads ad promo newsletter related pagination pager search
toc toc-macro toc-sidebar table-of-contents mw-navigation mw-panel sphinxsidebar wy-nav-side theme-doc-toc-desktop
"""
_SIDE_NAMES = frozenset(_SIDE_WORDS.split())
# These mean the same on any element; the words above do so on boxes alone: a link or a heading of class "header" is content.
_HELPER_WORDS = "mw-editsection headerlink noprint back-to-top sr-only visually-hidden skip-link skiplink edit-page"
_HELPER_NAMES = frozenset(_HELPER_WORDS.split())
_BOXES = frozenset({"div", "section", "ul", "ol", "dl", "table", "td", "form", "fieldset", "details", "menu", "center"})
_SIDE_SHARE = 0.25
_MAIN_SHARE = 0.5
_SECTIONS = frozenset({"article", "section", "main", "blockquote", "figure", "details"})


def content_root(root: HtmlElement) -> HtmlElement:
    """The element that holds the page's own content: `main` or the one `article` where most of the text is, else the body."""
    body = next(iter(root.iter("body")), root)
    whole = _length(body)
    for found in (list(body.iter("main")), body.xpath(".//*[@role='main']"), list(body.iter("article"))):
        if len(found) == 1 and _length(found[0]) >= whole * _MAIN_SHARE:
            return found[0]
    return body


class Boilerplate:
    """Tells which elements below one root are not content."""

    def __init__(self, root: HtmlElement) -> None:
        self._whole = max(1, _length(root))
        self._root = root

    def holds(self, element: HtmlElement) -> bool:
        """Whether the element, with all in it, is left out."""
        tag = element.tag
        if tag in NEVER_SHOWN or element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return True
        if element is self._root:
            return False
        if tag in ("header", "footer", "aside"):
            return element.get("role") not in ("note", "doc-footnote") and (tag == "aside" or not _inside_section(element))
        if element.get("role") in _SIDE_ROLES:
            return True
        names = {*element.get("class", "").casefold().split(), element.get("id", "").casefold()}
        is_named = bool(names & _HELPER_NAMES) or (tag in _BOXES and bool(names & _SIDE_NAMES))
        return is_named and _length(element) < self._whole * _SIDE_SHARE


def titles_in(header: HtmlElement) -> Iterator[HtmlElement]:
    """The main headings of a page's banner: many pages keep their title there."""
    return (element for element in header.iter("h1") if "".join(element.itertext()).strip())


def _inside_section(element: HtmlElement) -> bool:
    return any(ancestor.tag in _SECTIONS for ancestor in element.iterancestors())


def _length(element: HtmlElement) -> int:
    hidden = sum(len(inner.text or "") for inner in element.iter("script", "style"))
    return sum(len(text) for text in element.itertext()) - hidden
