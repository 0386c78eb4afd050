# expects: check values
# says: `jnp.roll` moves the last number to the front, where it has no neighbour to the left.
#     A row of n numbers has only n - 1 pairs of neighbours.
"""Subtracts the last number from the first."""

import jax.numpy as jnp


def difference(x):
    return x - jnp.roll(x, 1)
