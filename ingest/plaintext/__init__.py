"""Plain text: paragraphs from lines, headings from numbers, words, underlines and the place a line stands alone."""
