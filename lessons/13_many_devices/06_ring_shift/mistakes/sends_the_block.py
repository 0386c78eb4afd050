# expects: check one-number
# says: Your answer is right, but each device sends its whole block. One number of it is needed.
"""Sends a block, and uses one number of it."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        left = jax.lax.ppermute(block, "d", [(i, (i + 1) % 8) for i in range(8)])
        return jnp.concatenate([left[-1:], block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

