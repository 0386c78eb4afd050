"""Watches a program while it runs, for mistakes that raise nothing; `instrument` is the entry."""
