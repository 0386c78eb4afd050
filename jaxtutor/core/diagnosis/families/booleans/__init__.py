"""Causes in booleans."""
