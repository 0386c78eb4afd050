"""Runs the baselines of jaxtutor: bare jax in a script, in pytest and in a kernel.

Nothing here imports jaxtutor.
"""
