# expects: ShardingTypeError at 12
"""Rolls the whole array, which is cut along that axis."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    return jnp.roll(x, 1)
