"""The parts of the PDF reader: pages become lines, lines become headings and blocks. Nothing here imports a format."""
