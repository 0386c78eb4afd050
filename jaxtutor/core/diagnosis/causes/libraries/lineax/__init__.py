"""Causes in the use of Lineax."""
