# expects: check values
# says: Your first elements are sums: what came in was added to an element that was there.
"""Adds what came in to the first element, which is not 0."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        edge = jax.lax.ppermute(block[-1], "d", [(i, (i + 1) % 8) for i in range(8)])
        return jnp.roll(block, 1) + edge * (jnp.arange(block.size) == 0)

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
