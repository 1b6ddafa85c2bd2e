"""HTML as a person sees it: tags, lists, tables, links; menus and scripts left out."""

from pathlib import Path

import pytest
from read_documents import bodies, headings, read, read_text

from es_mappings.errors import EmptyDocument
from ingest.blocks import Link, Reading


def html(folder: Path, body: str, without: str = "") -> Reading:
    return read_text(folder, "a.html", f"<!doctype html><html><head><title>T</title></head><body>{body}</body></html>", without)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>A</h1><p>x</p><h2>B <em>b</em></h2><h4>D</h4>", [(1, "A"), (2, "B b"), (4, "D")]),
        ("<h1>A</h1><div role=heading aria-level=3>R</div><p role=heading>Q</p>", [(1, "A"), (3, "R"), (2, "Q")]),
        ("<nav><h2>Menu</h2></nav><h1>A</h1><h2>B</h2><footer><h2>Foot</h2></footer>", [(1, "A"), (2, "B")]),
        ("<h1>A</h1><h2>B<a class=headerlink href='#b'>¶</a></h2>", [(1, "A"), (2, "B")]),
        ("<h1>A</h1><h2 hidden>H</h2><h2 style='display:none'>N</h2><h2 aria-hidden=true>I</h2><h2>B</h2>", [(1, "A"), (2, "B")]),
        ("<h1>A</h1><h2></h2><h2><img alt=''></h2><h2>B<br>C</h2>", [(1, "A"), (2, "B C")]),
        ("<section><h1>A</h1><section><h1>B</h1></section></section><section><h1>C</h1></section>", [(1, "A"), (2, "B"), (1, "C")]),
        ("<ul><li><h2>A</h2><p>x</p></li><li><h2>B</h2></li></ul>", [(2, "A"), (2, "B")]),
        ("<table><tr><td><h1>A</h1></td></tr><tr><td><h2>B</h2><p>x</p></td></tr></table>", [(1, "A"), (2, "B")]),
        ("<h1 class=header id=a><a class=header href='#a'>A</a></h1><h2 class=menu><span class=search>B</span></h2>", [(1, "A"), (2, "B")]),
        ("<header><img alt=logo><h1>A</h1><ul><li>menu</ul></header><h2>B</h2><p>x", [(1, "A"), (2, "B")]),
    ],
)
def test_headings_are_the_tags_that_a_person_sees(tmp_path: Path, body: str, expected: list[tuple[int, str]]) -> None:
    reading = html(tmp_path, body)
    assert headings(reading) == expected
    assert {block.source for block in reading.blocks if block.level} == {"tag"}


def test_menus_banners_and_scripts_are_not_content(tmp_path: Path) -> None:
    body = (
        "<header>Site</header><nav>menu</nav><div class='breadcrumb'>Home</div><main><h1>A</h1><h2>B</h2><p>own text of the page</p></main>"
        "<aside>ads</aside><script>var x</script><style>p{}</style><noscript>no</noscript><footer>foot</footer><div id=sidebar>side</div>"
    )
    assert bodies(html(tmp_path, body)) == [("paragraph", "own text of the page")]


def test_text_is_collapsed_and_line_breaks_stay(tmp_path: Path) -> None:
    body = "<p>a\n  b&nbsp;c<br>d</p>loose <b>text</b><p>e<br><br>f</p><div>g<p>h</p>i</div>"
    assert [text for _, text in bodies(html(tmp_path, body))] == ["a b c\nd", "loose text", "e", "f", "g", "h", "i"]


def test_lists_quotes_code_and_captions_keep_their_shape(tmp_path: Path) -> None:
    body = (
        "<ul><li>one<ul><li>deep</li></ul></li><li><p>two</p></li></ul><ol start=3><li>c</li><li value=7>g</li></ol>"
        "<dl><dt>term</dt><dd>means</dd></dl><blockquote>said</blockquote><pre>  x = 1\n    y</pre>"
        "<figure><img alt=pic><figcaption>Cap</figcaption></figure>"
    )
    assert bodies(html(tmp_path, body)) == [
        ("list", "- one\n  - deep\n- two"),
        ("list", "3. c\n7. g"),
        ("list", "term\n  means"),
        ("quote", "said"),
        ("code", "  x = 1\n    y"),
        ("paragraph", "pic"),
        ("caption", "Cap"),
    ]


def test_powers_and_note_marks_stay_apart_from_figures(tmp_path: Path) -> None:
    assert bodies(html(tmp_path, "<p>10<sup>6</sup> H<sub>2</sub>O word<sup><a href='#n'>1</a></sup></p>"))[0][1] == "10^6 H2O word[1]"


def test_links_and_the_places_they_point_to(tmp_path: Path) -> None:
    links = "<a href='#n1'>note</a>, <a href='x.html#y'>x</a>, <a href='javascript:f()'>no</a>"
    body = f"<h1 id=top>A</h1><h2>B</h2><p>see {links}</p><p id=n1>n</p><p id=free>f</p>"
    blocks = html(tmp_path, body).blocks
    assert blocks[2].links == (Link(text="note", target="#n1"), Link(text="x", target="x.html#y"))
    assert [block.anchors for block in blocks] == [("top",), (), (), ("n1",), ()]


@pytest.mark.parametrize(
    ("table", "text", "header_rows"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2|3", "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |", 2),
        ("<thead><tr><td>a<td>b</thead><tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |", 2),
        ("<tr><td>x<td>y<tr><td>z<td>w", "| x | y |\n| z | w |", 0),
        ("<tr><td><td>2021<td>2020<tr><td>Sales<td>10<td>9", "|  | 2021 | 2020 |\n| --- | --- | --- |\n| Sales | 10 | 9 |", 2),
        (
            "<tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5",
            "| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
            2,
        ),
        ("<tr><td>Net<td>$<td>5<td>)<tr><td>Tax<td>$<td>(1<td>)", "| Net | $5) |\n| Tax | $(1) |", 0),
    ],
)
def test_data_tables_become_rows(tmp_path: Path, table: str, text: str, header_rows: int) -> None:
    block = html(tmp_path, f"<table>{table}</table>").blocks[0]
    assert (block.kind, block.text, block.header_rows) == ("table", text, header_rows)


def test_tables_that_only_place_things_are_unwrapped(tmp_path: Path) -> None:
    body = (
        "<table role=presentation><tr><td><p>left</p><td><p>right</p></table>"
        "<table><tr><td>•<td>first</table><table><tr><td>•<td>second</table>"
        "<table><tr><td>Phone:<td>555 0100</table>"
    )
    assert bodies(html(tmp_path, body)) == [("paragraph", "left right"), ("list", "• first\n• second"), ("paragraph", "Phone: 555 0100")]


def test_the_title_loses_the_name_of_the_site(tmp_path: Path) -> None:
    page = "<html><title>Guide - Site</title><body><h1>Guide</h1><h2>B</h2><p>x</body></html>"
    assert read_text(tmp_path, "b.html", page).title == "Guide"


def test_properties_come_from_meta_tags(tmp_path: Path) -> None:
    page = "<html lang=en><head><meta name=Author content=Me></head><body><p>x</p></body></html>"
    assert read_text(tmp_path, "c.html", page).metadata == {"author": "Me", "language": "en"}


@pytest.mark.parametrize(
    "data",
    [
        "<html><meta charset=gb2312><body><p>中文内容很好</p>".encode("gb18030"),
        "<html><meta http-equiv=Content-Type content='text/html; charset=big5'><body><p>中文內容很好</p>".encode("big5"),
        "<?xml version='1.0' encoding='utf-8'?><html><body><p>中文内容很好</p></body></html>".encode(),
        "<html><body><p>中文内容很好</p>".encode("utf-16"),
    ],
)
def test_the_encoding_is_the_one_that_the_page_states(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "d.htm"
    path.write_bytes(data)
    assert bodies(read(path))[0][1].startswith("中文内") or bodies(read(path))[0][1].startswith("中文內")


def test_a_page_that_shows_nothing_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyDocument):
        html(tmp_path, "<script>x</script><nav>menu</nav>")


def test_pages_that_word_processors_saved_name_their_headings_by_style(tmp_path: Path) -> None:
    body = (
        "<p class=MsoTitle>Report</p><p class=Heading1>One</p><p>a</p><p class='Heading2 Normal'>Two</p><p>b</p>"
        "<p class=MsoHeading7>Deep</p><p>c</p><p class=MsoNormal style='mso-outline-level:2'>Other</p>"
        "<p>d</p><p class=Heading1Char>text</p>"
    )
    reading = read_text(tmp_path, "a.html", f"<html><body>{body}</body></html>")

    assert headings(reading) == [(1, "One"), (2, "Two"), (7, "Deep"), (2, "Other")]
    assert reading.title == "Report"


def test_a_box_of_links_to_the_sections_is_no_section(tmp_path: Path) -> None:
    contents = "<div id=toc class=toc><h2>Contents</h2><ul><li><a href=#a>A</a></ul></div>"
    words = "words " * 60

    assert headings(read_text(tmp_path, "a.html", f"<h1>Duck</h1>{contents}<p>{words}</p><h2 id=a>A</h2><p>{words}</p>")) == [
        (1, "Duck"),
        (2, "A"),
    ]
