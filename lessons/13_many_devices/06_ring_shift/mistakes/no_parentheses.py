# expects: check jit
# says: Your pairs name a device that does not exist, or not eight pairs of a ring. Look at how
#     Python reads the remainder.
"""Writes i + 1 % 8, which is i + 1."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        edge = jax.lax.ppermute(block[-1:], "d", [(i, i + 1 % 8) for i in range(8)])
        return jnp.concatenate([edge, block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
