# expects: unbound-axis-name at 15
"""Calls a collective outside of shard_map."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return block.mean(keepdims=True)

    means = jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
    return jax.lax.pmean(means, "d")[0]
