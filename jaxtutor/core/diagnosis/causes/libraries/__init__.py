"""Causes in the use of libraries for JAX."""
