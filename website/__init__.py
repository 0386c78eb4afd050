"""Builds the site: static pages of the causes, error classes, terms, course, guides and reference.

Everything is written from what the project already has: pages of causes, recorded runs, lessons,
documents, docstrings and man pages. `sources` holds a page before Sphinx reads it; each other
module writes pages of one kind.
"""
