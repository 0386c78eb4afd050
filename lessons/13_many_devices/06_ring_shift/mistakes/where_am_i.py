# expects: jnp-op-on-static-value at 13
"""Builds the pair of this device only, from a traced number."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        here = jax.lax.axis_index("d")
        edge = jax.lax.ppermute(block[-1:], "d", [(here, (here + 1) % 8)])
        return jnp.concatenate([edge, block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

