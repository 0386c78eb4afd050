"""Causes in which Python needs the truth of a traced value, or of an array."""
