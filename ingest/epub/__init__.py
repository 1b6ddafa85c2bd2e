"""EPUB books: the spine gives the order of the files, the navigation the tree of headings, the pages the text."""
