"""Decides what the prompt does, without a terminal or jax."""
