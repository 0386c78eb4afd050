"""Causes in calls of Optax, Haiku, NumPyro and Diffrax, and in objects that cannot be changed."""
