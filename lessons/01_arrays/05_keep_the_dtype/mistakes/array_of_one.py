# expects: check values
# says: Your answer has an axis that `x` does not have when `x` is a single number. An array of
#     one element is not a plain number: it brings a shape and a dtype.
"""Multiplies by an array of one element."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.array([0.5])
