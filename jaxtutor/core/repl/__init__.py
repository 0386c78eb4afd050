"""Owns what the prompt decides without a terminal and without jax."""
