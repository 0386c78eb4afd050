"""Causes in arrays."""
