"""Causes in which a size, an axis or a count has to be static and is not."""
