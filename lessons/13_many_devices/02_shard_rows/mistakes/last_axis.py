# expects: sharding-not-divisible at 12
"""Cuts the last axis, which is the first only where there is one."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    spec = P(*[None] * (x.ndim - 1), "d")
    return jax.device_put(x, NamedSharding(mesh, spec))
