"""Causes in random numbers."""
