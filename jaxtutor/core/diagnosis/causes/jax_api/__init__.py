"""Causes in names that JAX removed or moved."""
