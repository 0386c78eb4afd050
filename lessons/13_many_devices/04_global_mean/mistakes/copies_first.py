# expects: mesh-axis-type-mismatch at 15
"""Brings all elements everywhere, and then cuts."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.pmean(block.mean(), "d")

    whole = jax.reshard(x, jax.sharding.NamedSharding(MESH, P()))
    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P())(whole)
