"""reStructuredText: docutils reads the marks, files are never included, directives of other tools keep their text."""
