"""Causes in loops and branches."""
