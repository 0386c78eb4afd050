# expects: check values
# says: Your first elements are the first of the block before, not its last. The left neighbour of
#     a block's first element is at the end of that block.
"""Sends the first element, which is the wrong edge."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        edge = jax.lax.ppermute(block[:1], "d", [(i, (i + 1) % 8) for i in range(8)])
        return jnp.concatenate([edge, block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

