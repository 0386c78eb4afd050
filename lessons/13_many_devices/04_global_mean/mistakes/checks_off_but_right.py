# expects: check checks-on
# says: Your answer is right, but the checks of `shard_map` are off, so a result that differs from
#     device to device would pass too. They can stay on here.
"""Has its collective, and switches the checks off all the same."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.pmean(block.mean(), "d")

    run = jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P(), check_vma=False)
    return run(x)
