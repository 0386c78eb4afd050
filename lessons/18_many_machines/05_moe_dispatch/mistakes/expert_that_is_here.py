# expects: check values
# says: Your tokens stay where they are, and ask the expert that happens to be there.
"""Lets each device use its own expert."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        return jnp.tanh(x @ w[0])

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
