# expects: wrong-arity at 14
"""Uses the name that the keyword had."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def global_mean(x):
    def mean(block):
        return jax.lax.pmean(block.mean(), "d")

    return jax.shard_map(mean, mesh=MESH, in_specs=P("d"), out_specs=P(), check_rep=True)(x)
