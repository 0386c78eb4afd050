"""Causes in silent."""
