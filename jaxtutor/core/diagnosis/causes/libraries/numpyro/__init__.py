"""Causes in the use of NumPyro."""
