"""The text of paragraphs: tracked changes, fields, links, boxes, notes, hidden text, symbols and formulas."""

from pathlib import Path

from word_documents import SENTENCE, field, headings, only, p, part, r, read_docx, relationship, style, texts, titles, write_docx

from ingest.blocks import Link


def para(content: str, style_id: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style_id}"/></w:pPr>' if style_id else ""
    return f"<w:p>{named}{content}</w:p>"


def box(content: str) -> str:
    """A text box as Word writes it: a shape, and the same again for old readers."""
    shape = f"<wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx>"
    choice = f'<mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic>{shape}</a:graphic></wp:anchor></w:drawing></mc:Choice>'
    fallback = f"<mc:Fallback><w:pict><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></w:pict></mc:Fallback>"
    return f"<w:r><mc:AlternateContent>{choice}{fallback}</mc:AlternateContent></w:r>"


def test_tracked_changes_are_accepted(tmp_path: Path) -> None:
    body = para(
        r("Kept ")
        + f"<w:ins>{r('added ')}</w:ins><w:del><w:r><w:delText>dropped</w:delText></w:r></w:del>"
        + f"<w:moveFrom>{r('gone')}</w:moveFrom><w:moveTo>{r('moved here')}</w:moveTo>"
    )

    assert texts(read_docx(write_docx(tmp_path, body))) == ["Kept added moved here"]


def test_a_deleted_paragraph_mark_joins_two_paragraphs(tmp_path: Path) -> None:
    body = f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{r('One ')}</w:p>{p('sentence.')}"

    assert texts(read_docx(write_docx(tmp_path, body))) == ["One sentence."]


def test_a_drop_cap_belongs_to_its_word(tmp_path: Path) -> None:
    body = p("O", properties='<w:framePr w:dropCap="drop"/>') + p("nce upon a time.")

    assert texts(read_docx(write_docx(tmp_path, body))) == ["Once upon a time."]


def test_comments_are_left_out(tmp_path: Path) -> None:
    commented = '<w:commentRangeStart w:id="0"/>' + r("Text") + '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>'
    parts = {"word/comments.xml": part("comments", f'<w:comment w:id="0">{p("Nonsense!")}</w:comment>')}

    assert texts(read_docx(write_docx(tmp_path, para(commented), parts=parts))) == ["Text"]


def test_headers_and_footers_are_not_content(tmp_path: Path) -> None:
    parts = {"word/header1.xml": part("hdr", p("Running head")), "word/footer1.xml": part("ftr", p("Page 1"))}
    links = relationship("rId9", "header", "header1.xml") + relationship("rId10", "footer", "footer1.xml")
    section = '<w:sectPr><w:headerReference r:id="rId9"/><w:footerReference r:id="rId10"/></w:sectPr>'

    assert texts(read_docx(write_docx(tmp_path, p("Text") + section, parts=parts, links=links))) == ["Text"]


def test_hidden_text_is_left_out_and_reported(tmp_path: Path) -> None:
    styles = style("Secret", "Secret", run="<w:vanish/>", kind="character")
    body = para(r("Seen") + r(" unseen", "<w:vanish/>") + r(" by style", '<w:rStyle w:val="Secret"/>'))
    reading = read_docx(write_docx(tmp_path, body, styles=styles))

    assert texts(reading) == ["Seen"]
    assert reading.warnings == ("16 characters of hidden text were left out",)


def test_white_and_tiny_text_is_left_out_unless_its_ground_is_coloured(tmp_path: Path) -> None:
    white = '<w:color w:val="FFFFFF"/>'
    body = para(r("Seen") + r("white", white) + r("tiny", '<w:sz w:val="1"/>')) + p("On blue", run=f'{white}<w:shd w:fill="0000FF"/>')
    reading = read_docx(write_docx(tmp_path, body))

    assert texts(reading) == ["Seen", "On blue"]
    assert "9 characters that nobody can see" in reading.warnings[0]


def test_links_point_to_addresses_and_bookmarks(tmp_path: Path) -> None:
    links = relationship("rId7", "hyperlink", "https://example.org/a", external=True)
    body = para(
        f'<w:hyperlink r:id="rId7">{r("outside")}</w:hyperlink>{r(" and ")}<w:hyperlink w:anchor="here">{r("inside")}</w:hyperlink>'
    ) + para(f'<w:bookmarkStart w:id="1" w:name="here"/>{r("Target")}<w:bookmarkEnd w:id="1"/>')
    first, second = read_docx(write_docx(tmp_path, body, links=links)).blocks

    assert first.links == (Link(text="outside", target="https://example.org/a"), Link(text="inside", target="#here"))
    assert second.anchors == ("here",)


def test_cross_reference_fields_are_links(tmp_path: Path) -> None:
    body = para(r("See ") + field(r"REF _Ref1 \h", "section 2") + r(" on page ") + field(r"PAGEREF _Ref1 \h", "7") + r("."))
    block = only(read_docx(write_docx(tmp_path, body)), "paragraph")

    assert block.text == "See section 2 on page 7."
    assert block.links == (Link(text="section 2", target="#_Ref1"), Link(text="7", target="#_Ref1"))


def test_a_hyperlink_field_is_a_link(tmp_path: Path) -> None:
    body = para(field(r'HYPERLINK "https://example.org" \l "part"', "there"))

    assert only(read_docx(write_docx(tmp_path, body)), "paragraph").links == (Link(text="there", target="https://example.org#part"),)


def test_results_of_fields_are_text_and_their_codes_are_not(tmp_path: Path) -> None:
    nested = field("IF x", "", inner=field("MERGEFIELD name", "Ada"))
    body = para(r("Dear ") + nested + r("!")) + para(f'<w:fldSimple w:instr=" AUTHOR ">{r("Bob")}</w:fldSimple>')

    assert texts(read_docx(write_docx(tmp_path, body))) == ["Dear Ada!", "Bob"]


def test_a_field_that_never_ends_does_not_swallow_the_document(tmp_path: Path) -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    begin = f"{mark.format('begin')}<w:r><w:instrText>TOC</w:instrText></w:r>{mark.format('separate')}"

    assert texts(read_docx(write_docx(tmp_path, para(begin + r("First")) + p("Second") + p("Third")))) == ["First", "Second", "Third"]


def test_a_text_box_is_read_once_and_marked_as_detached(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, para(r("Around") + box(p("Inside")))))

    assert [(block.text, block.detached) for block in reading.blocks] == [("Around", False), ("Inside", True)]


def test_a_heading_style_in_a_text_box_makes_no_section(tmp_path: Path) -> None:
    body = p("One", style="Heading1") + para(r("Around") + box(p("Loud", style="Heading1"))) + p("Two", style="Heading1") + p(SENTENCE)

    assert titles(read_docx(write_docx(tmp_path, body, styles=headings()))) == [(1, "One"), (1, "Two")]


def test_an_old_vml_box_is_read(tmp_path: Path) -> None:
    pict = f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{p('Old box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"

    assert texts(read_docx(write_docx(tmp_path, para(pict)))) == ["Old box"]


def test_content_controls_are_content_and_placeholders_are_not(tmp_path: Path) -> None:
    block = f"<w:sdt><w:sdtContent>{p('A block')}</w:sdtContent></w:sdt>"
    inline = para(r("Name: ") + f"<w:sdt><w:sdtContent>{r('Ada')}</w:sdtContent></w:sdt>")
    empty = para(r("Date: ") + f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{r('Click here')}</w:sdtContent></w:sdt>")

    assert texts(read_docx(write_docx(tmp_path, block + inline + empty))) == ["A block", "Name: Ada", "Date:"]


def test_notes_stand_at_the_end_of_the_section_that_mentions_them(tmp_path: Path) -> None:
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = para(r("One"), "Heading1") + para(r("Text") + mark.format(2) + r(".")) + p("More.") + para(r("Two") + mark.format(3), "Heading1")
    body += para(r("End") + '<w:r><w:endnoteReference w:id="1"/></w:r>')
    separator = f'<w:footnote w:id="0" w:type="separator">{p("---")}</w:footnote>'
    parts = {
        "word/footnotes.xml": part(
            "footnotes",
            f'{separator}<w:footnote w:id="2">{p("First note.")}</w:footnote><w:footnote w:id="3">{p("On the heading.")}</w:footnote>',
        ),
        "word/endnotes.xml": part("endnotes", f'<w:endnote w:id="1">{p("Last note.")}</w:endnote>'),
    }
    reading = read_docx(write_docx(tmp_path, body, styles=headings(), parts=parts))

    assert [(block.kind, block.text) for block in reading.blocks] == [
        ("heading", "One"),
        ("paragraph", "Text[^1]."),
        ("paragraph", "More."),
        ("footnote", "[^1]: First note."),
        ("heading", "Two"),
        ("paragraph", "End[^3]"),
        ("footnote", "[^2]: On the heading."),
        ("footnote", "[^3]: Last note."),
    ]
    assert all(block.detached for block in reading.blocks if block.kind == "footnote")


def test_breaks_tabs_hyphens_and_symbols(tmp_path: Path) -> None:
    run = (
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t>"
        '<w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
    )

    assert texts(read_docx(write_docx(tmp_path, para(run)))) == ["a\tb\nc-deα✓"]


def test_ruby_gives_its_base(tmp_path: Path) -> None:
    ruby = f"<w:r><w:ruby><w:rt>{r('かんじ')}</w:rt><w:rubyBase>{r('漢字')}</w:rubyBase></w:ruby></w:r>"

    assert texts(read_docx(write_docx(tmp_path, para(ruby + r("です。"))))) == ["漢字です。"]


def test_formulas_are_plain_text(tmp_path: Path) -> None:
    def run(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    power = f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    fraction = f"<m:f><m:num>{run('a+b')}</m:num><m:den>{run('2')}</m:den></m:f>"
    root = f"<m:rad><m:deg/><m:e>{power}</m:e></m:rad>"
    body = para(r("Area ") + f"<m:oMath>{power}{run('=')}{fraction}</m:oMath><m:oMath>{root}</m:oMath>")

    assert texts(read_docx(write_docx(tmp_path, body))) == ["Area x^2=(a+b)/2 √(x^2)"]


def test_monospaced_lines_are_one_block_of_code(tmp_path: Path) -> None:
    mono = '<w:rFonts w:ascii="Consolas"/>'
    body = p("def f():", run=mono) + p() + p("    return 1", run=mono) + p("Text.")
    reading = read_docx(write_docx(tmp_path, body))

    assert [(block.kind, block.text) for block in reading.blocks] == [("code", "def f():\n\n    return 1"), ("paragraph", "Text.")]


def test_captions_and_quotations_are_told_apart(tmp_path: Path) -> None:
    styles = style("C", "caption") + style("Q", "Intense Quote")
    body = p("Figure 1: Ducks", style="C") + p("Be kind.", style="Q") + para(r("Table ") + field("SEQ Table", "2") + r(" Rows"))
    reading = read_docx(write_docx(tmp_path, body, styles=styles))

    assert [(block.kind, block.text) for block in reading.blocks] == [
        ("caption", "Figure 1: Ducks"),
        ("quote", "Be kind."),
        ("caption", "Table 2 Rows"),
    ]
