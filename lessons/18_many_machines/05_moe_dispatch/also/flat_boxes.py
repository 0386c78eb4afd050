"""Sends the boxes one after another in one long table."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        n, k = x.shape
        send = jax.nn.one_hot(choice, 8, axis=0)[:, :, None] * x
        got = jax.lax.all_to_all(send.reshape(8 * n, k), "d", 0, 0, tiled=True)
        done = jnp.tanh(got @ w.reshape(k, k))
        back = jax.lax.all_to_all(done, "d", 0, 0, tiled=True)
        return back[choice * n + jnp.arange(n)]

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
