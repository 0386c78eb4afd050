# expects: check values
# says: Your results stay with the experts. They travel back before they are read.
"""Reads the results where the experts are."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        mine = choice == jnp.arange(8)[:, None]
        send = jnp.where(mine[:, :, None], x, 0)
        done = jnp.tanh(jax.lax.all_to_all(send, "d", 0, 0) @ w[0])
        return done[choice, jnp.arange(len(x))]

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
