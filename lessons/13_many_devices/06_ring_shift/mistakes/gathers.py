# expects: check primitive
# says: Your answer is right, but every device fetches the whole array. It needs one number, from
#     its left neighbour.
"""Fetches everything."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        everything = jax.lax.all_gather(block, "d", tiled=True)
        first = jax.lax.axis_index("d") * block.size
        return jax.lax.dynamic_slice_in_dim(jnp.roll(everything, 1), first, block.size)

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

