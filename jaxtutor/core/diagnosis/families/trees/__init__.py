"""Causes in pytrees: treated as if they were arrays or other trees, or of different structures."""
