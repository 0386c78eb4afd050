"""Reads lessons and cause pages from disk."""
