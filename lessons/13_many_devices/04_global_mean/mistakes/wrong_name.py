# expects: unbound-axis-name at 12
"""Names an axis that the mesh does not have."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.pmean(block.mean(), "devices")

    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P())(x)
