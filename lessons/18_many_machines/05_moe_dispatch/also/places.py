"""Gives each token a place by counting, and boxes that hold all tokens of a device."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        chosen = jax.nn.one_hot(choice, 8, dtype=jnp.int32)
        place = (jnp.cumsum(chosen, axis=0) * chosen).sum(axis=1) - 1
        send = jnp.zeros((8, len(x), x.shape[1])).at[choice, place].set(x)
        done = jnp.tanh(jax.lax.all_to_all(send, "d", 0, 0, tiled=True) @ w[0])
        return jax.lax.all_to_all(done, "d", 0, 0, tiled=True)[choice, place]

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
