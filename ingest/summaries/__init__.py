"""Summaries of documents: a plan over the heading tree, calls that are made once, and what they cover."""
