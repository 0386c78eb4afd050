"""Lessons and cause pages as they lie on disk."""
