"""Causes in names."""
