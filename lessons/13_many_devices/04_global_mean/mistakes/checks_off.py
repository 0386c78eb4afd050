# expects: check values
# says: Your answer is the mean of the first device's block. With the checks off, JAX does not
#     notice that the devices disagree; they still have to communicate.
"""Follows the message, and switches the checks off."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return block.mean()

    run = jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P(), check_vma=False)
    return run(x)
