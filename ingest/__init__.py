"""A file becomes nodes."""
