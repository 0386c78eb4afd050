"""Causes in devices, debugging and callbacks."""
