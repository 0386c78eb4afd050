"""Causes in devices."""
