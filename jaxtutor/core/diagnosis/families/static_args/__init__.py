"""Causes in static args."""
