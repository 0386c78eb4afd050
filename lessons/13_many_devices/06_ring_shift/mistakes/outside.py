# expects: unbound-axis-name at 12
"""Calls a collective outside of shard_map."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    edge = jax.lax.ppermute(x, "d", [(i, (i + 1) % 8) for i in range(8)])
    return jnp.concatenate([edge[-1:], x[:-1]])
