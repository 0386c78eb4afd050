"""Causes in randomness."""
