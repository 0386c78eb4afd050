"""Causes in names, calls and arguments of Python."""
