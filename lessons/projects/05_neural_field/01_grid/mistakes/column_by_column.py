# expects: check values
# says: Your places are right, but in another order: they go down the first column, then down the
#     second. The problem goes along the first row first.
"""Leaves out `indexing`."""

import jax.numpy as jnp


def grid(height, width):
    down = (jnp.arange(height) + 0.5) / height * 2 - 1
    right = (jnp.arange(width) + 0.5) / width * 2 - 1
    return jnp.stack(jnp.meshgrid(down, right), axis=-1).reshape(-1, 2)
