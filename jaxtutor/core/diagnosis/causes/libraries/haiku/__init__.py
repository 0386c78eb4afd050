"""Causes in the use of Haiku."""
