"""Causes in values."""
