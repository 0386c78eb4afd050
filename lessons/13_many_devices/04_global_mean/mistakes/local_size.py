# expects: check values
# says: Your answer is the sum of the devices' means: it is too large by the number of devices. The
#     mean of the whole divides by the number of all elements.
"""Divides the sum over all by the length of one block."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.psum(block.sum(), "d") / block.size

    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P())(x)
