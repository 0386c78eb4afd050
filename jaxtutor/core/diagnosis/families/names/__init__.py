"""Causes that are plain Python: names that are gone, misspelt or missing, and arity."""
