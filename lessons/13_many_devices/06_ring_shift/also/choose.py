"""Chooses between the roll and what came."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        size = jax.lax.axis_size("d")
        ring = [(source, (source + 1) % size) for source in range(size)]
        edge = jax.lax.ppermute(block[-1], "d", perm=ring)
        return jnp.where(jnp.arange(block.size) == 0, edge, jnp.roll(block, 1))

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
