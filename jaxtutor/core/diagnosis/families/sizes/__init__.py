"""Causes in sizes."""
