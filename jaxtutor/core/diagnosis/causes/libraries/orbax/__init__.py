"""Causes in the use of Orbax."""
