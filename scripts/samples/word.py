"""Writes a sample as a Word document whose heading numbers are automatic: they are in numbering.xml, not in the text."""

from pathlib import Path

import docx
from docx.document import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.text.paragraph import Paragraph as WordParagraph
from source import Heading, NumberedList, Paragraph, Sample, Table

CHAPTERS, APPENDICES, STEPS, FIRST_LIST = 101, 102, 103, 200


def write_docx(sample: Sample, target: Path) -> None:
    document = docx.Document()
    document.core_properties.title = sample.title
    document.add_heading(sample.title, level=0)
    _define_numbering(document, sample)
    lists = 0
    for block in sample.blocks:
        match block:
            case Heading():
                heading = document.add_heading(block.title, level=block.level)
                if block.number:
                    _number(heading, APPENDICES if block.is_appendix else CHAPTERS, block.level - 1)
            case Paragraph():
                document.add_paragraph(block.text)
            case NumberedList():
                lists += 1
                _define_list(document, FIRST_LIST + lists)
                for item in block.items:
                    _number(document.add_paragraph(item), FIRST_LIST + lists, 0)
            case Table():
                _add_table(document, block)
    document.save(str(target))


def _define_numbering(document: Document, sample: Sample) -> None:
    first = next(block.number for block in sample.blocks if isinstance(block, Heading))
    if first.startswith("第"):
        chapter, chapter_format, appendix = "第%1章", "chineseCountingThousand", "附录%1"
    else:
        chapter, chapter_format, appendix = ("Chapter %1" if first.startswith("Chapter") else "%1"), "decimal", "Appendix %1"
    for number, levels in (
        # isLgl writes every number of the level in Arabic digits: section 3.1 of 第三章.
        (CHAPTERS, (_level(0, chapter_format, chapter), _level(1, "decimal", "%1.%2", "<w:isLgl/>"))),
        (APPENDICES, (_level(0, "upperLetter", appendix),)),
        (STEPS, (_level(0, "decimal", "%1."),)),
    ):
        numbering = document.part.numbering_part.element
        definition = f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{number}"><w:multiLevelType w:val="multilevel"/>'
        # Word wants all abstract numberings before the first instance.
        numbering.find(qn("w:num")).addprevious(parse_xml(f"{definition}{''.join(levels)}</w:abstractNum>"))
        numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'))


def _level(level: int, number_format: str, text: str, extra: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{number_format}"/>{extra}<w:suff w:val="space"/>'
        f'<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/></w:lvl>'
    )


def _define_list(document: Document, number: int) -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    document.part.numbering_part.element.append(
        parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{STEPS}"/>{restart}</w:num>')
    )


def _number(paragraph: WordParagraph, number: int, level: int) -> None:
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # noqa: SLF001  # python-docx has no numbers
    properties.get_or_add_ilvl().val = level
    properties.get_or_add_numId().val = number


def _add_table(document: Document, block: Table) -> None:
    table = document.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
    for cells in block.rows:
        row = table.add_row()
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    repeat = OxmlElement("w:tblHeader")
    table.rows[0]._tr.get_or_add_trPr().append(repeat)  # noqa: SLF001  # nor repeated rows
    document.add_paragraph()
