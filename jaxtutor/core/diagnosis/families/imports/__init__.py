"""Causes in the imports of a script."""
