"""The parts of the PDF reader: pages become lines, lines become headings and blocks. Nothing here imports a format."""

import sys

# PyMuPDF loads its layout model (ONNX) whenever it is imported, which took half of the time of a short document; with this
# name taken it goes without. ingest.pdf.layout_model gives the name back when the model is asked for.
sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]  # None is how Python spells "not to be imported"
