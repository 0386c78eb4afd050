"""Causes that come from arrays being immutable, and from masks that are traced."""
