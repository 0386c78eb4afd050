"""Causes in which a Python or NumPy value is needed of a tracer."""
