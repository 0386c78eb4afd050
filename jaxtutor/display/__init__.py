"""Draws in the terminal; the only package that imports rich."""
