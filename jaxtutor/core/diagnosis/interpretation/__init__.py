"""Interprets programs without running them: with kinds of values in the place of values."""
