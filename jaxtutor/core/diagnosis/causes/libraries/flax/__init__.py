"""Causes in the use of Flax."""
