"""Causes in the use of Optax."""
