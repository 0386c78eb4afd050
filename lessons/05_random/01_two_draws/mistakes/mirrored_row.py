# expects: check all-different
# says: Your second row holds the numbers of the first in another order. It needs a draw of its
#     own.
"""Draws one row and shifts it by one place for the other."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    row = jax.random.normal(key, (n,))
    return jnp.stack([row, jnp.roll(row, 1)])
