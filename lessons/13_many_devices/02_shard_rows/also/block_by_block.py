"""Asks for each block when it is needed."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    sharding = NamedSharding(jax.make_mesh((8,), ("d",)), P("d"))
    return jax.make_array_from_callback(x.shape, sharding, lambda index: x[index])
