"""Causes in the use of Equinox."""
