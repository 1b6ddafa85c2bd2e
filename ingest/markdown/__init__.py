"""Markdown documents: CommonMark with tables, display maths, footnotes and the attribute marks that books put after headings."""
