"""What the names of Word's own styles say. Built-in names are stored in English, but other programs write them localised. Pure.

Names that a template invented (ChapterTitle, HeadA) are in no list here: their look and order tell what they are.
"""

import re
import unicodedata

# "Heading N" as Word, WPS and LibreOffice name it in the languages they ship.
_HEADING_WORDS = (
    "heading|überschrift|titre|título|titulo|títol|titolo|titlu|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|naslov|címsor|"
    "başlık|balk|заголовок|επικεφαλίδα|cabeçalho|encabezado|标题|標題|見出し|제목|עنوان|عنوان|כותרת|หัวเรื่อง|tiêu đề|đầu đề|judul|tajuk|शीर्षक"
)
_HEADING = re.compile(rf"(?:{_HEADING_WORDS})\s*(?P<level>[1-9])")
_CONTENTS = re.compile(
    r"(?:toc|contents?|verzeichnis|inhaltsverzeichnis|tm|tdc|tdm|índice|indice|sommario|inhopg|spis treści|目录|目錄|目次|목차|оглавление)"
    r"\s*[1-9]|table of (?:figures|authorities|contents).*|(?:toc|contents) heading.*|图表目录|目录标题|index [1-9]|索引 ?[1-9]"
)
_TITLES = re.compile(
    "title|titel|titre|título|titolo|titulo|tytuł|otsikko|rubrik|titlu|názov|název|cím|tittel|başlık|название|заголовок|标题|標題|表題|제목"
)
_CAPTIONS = re.compile("caption|beschriftung|légende|leyenda|didascalia|descripción|legenda|bijschrift|题注|題注|標號|図表番号|캡션")
_QUOTES = re.compile(r"(?:intense )?quote|block text|zitat|citation|引用|明显引用")
_CODE = re.compile(r"html preformatted|preformatted text|plain text|source code|code|listing|macro|macro text|html 预设格式|纯文本")


def plain_name(name: str) -> str:
    """A style name for comparison: NFKC, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def heading_level(name: str) -> int | None:
    """The level (1 to 9) that a heading style's name states, or None.

    >>> heading_level("heading 2"), heading_level("Überschrift 1"), heading_level("标题 3"), heading_level("Heading 1 Char")
    (2, 1, 3, None)
    """
    found = _HEADING.fullmatch(plain_name(name))
    return int(found["level"]) if found else None


def is_contents(name: str) -> bool:
    """Whether the style belongs to a table of contents, of figures, or an index."""
    return bool(_CONTENTS.fullmatch(plain_name(name)))


def is_title(name: str) -> bool:
    """Whether this is the style of the document's title."""
    return bool(_TITLES.fullmatch(plain_name(name)))


def is_caption(name: str) -> bool:
    """Whether this is the style of captions."""
    return bool(_CAPTIONS.fullmatch(plain_name(name)))


def is_quote(name: str) -> bool:
    """Whether this is a style of quotations."""
    return bool(_QUOTES.fullmatch(plain_name(name)))


def is_code(name: str) -> bool:
    """Whether this is a style of program text."""
    return bool(_CODE.fullmatch(plain_name(name)))
