# expects: check values
# says: Your answer moves whole blocks by one device. Elements move by one place, and only one of
#     each block leaves it.
"""Passes whole blocks on."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        return jax.lax.ppermute(block, "d", [(i, (i + 1) % 8) for i in range(8)])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

