# expects: specs-rank-mismatch at 11
"""The spec has an entry for an axis that a row does not have."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    return jax.device_put(x, NamedSharding(mesh, P("d", None)))
