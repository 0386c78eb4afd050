# expects: check values
"""Writes the step itself down, with one factor for all."""

from jax import lax


def recur(a, b):
    factor = a[0]
    return lax.associative_scan(lambda h, x: factor * h + x, b)
