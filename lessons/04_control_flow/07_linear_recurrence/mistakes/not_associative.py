# expects: check values
# says: Your answer uses one factor for all steps, in an operation that is not associative. A
#     stretch needs a factor of its own, and its summand.
"""Writes the step itself down, with one factor for all."""

from jax import lax


def recur(a, b):
    factor = a[0]
    return lax.associative_scan(lambda h, x: factor * h + x, b)
