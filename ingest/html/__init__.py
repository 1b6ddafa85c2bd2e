"""HTML documents: what a person sees of a page, as blocks; headings by tags, or by their look where a page has none."""
