# expects: check jit
# says: Your pairs send to one device more than once. Each number may stand once among the
#     receivers.
"""Lets all devices send to the first."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        edge = jax.lax.ppermute(block[-1:], "d", [(i, 0) for i in range(8)])
        return jnp.concatenate([edge, block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

