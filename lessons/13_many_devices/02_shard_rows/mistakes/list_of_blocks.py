# expects: check values
# says: Your answer is a list of arrays. A sharded array is one array, and only its blocks are
#     apart.
"""Puts each block on a device, and returns eight arrays."""

import jax
import jax.numpy as jnp


def shard_rows(x):
    blocks = jnp.split(x, 8)
    return [jax.device_put(b, d) for b, d in zip(blocks, jax.devices())]
