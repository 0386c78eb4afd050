"""Runs one submission in a process of its own, with jax, and reports facts about it."""
