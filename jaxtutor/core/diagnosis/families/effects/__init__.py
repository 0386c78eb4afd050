"""Causes in effects."""
