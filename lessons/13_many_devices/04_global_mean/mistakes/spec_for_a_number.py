# expects: specs-rank-mismatch at 14
"""Declares one number for all to be cut."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.pmean(block.mean(), "d")

    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
