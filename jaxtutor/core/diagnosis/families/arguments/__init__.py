"""Causes in arguments."""
