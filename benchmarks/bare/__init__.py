"""Owns what jaxtutor is measured against: jax by itself, in a script, in pytest and in a kernel.

Nothing here imports jaxtutor.
"""
