"""A Word file becomes blocks: package, styles, numbering, text, tables, notes, and which paragraphs are headings."""
