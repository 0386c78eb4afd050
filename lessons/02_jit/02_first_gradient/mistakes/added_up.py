# expects: check values
# says: Your answer is the sum of the gradient. It has a number for each coordinate.
"""Adds the numbers of the gradient up."""

import jax


def uphill(height, place):
    return jax.grad(height)(place).sum()
