# expects: check values
# says: Your answer is one mean for each device. The problem asks for one number, which needs a
#     collective.
"""Returns the mean of each device."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return block.mean(keepdims=True)

    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)
