# expects: check values
# says: Your array is on one device. Its blocks are loaded one by one, and then put together again.
"""Concatenates the blocks."""

import jax.numpy as jnp


def global_batch(load, shape, mesh):
    rows = shape[0] // mesh.shape["data"]
    blocks = [load(start, start + rows) for start in range(0, shape[0], rows)]
    return jnp.concatenate(blocks)
