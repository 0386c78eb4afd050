# expects: check values
# says: Your tokens are sorted by expert and cut into eight equal boxes. That fits only if each
#     expert is chosen equally often.
"""Sorts by expert, and cuts into boxes of equal length."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        places = -(-len(x) // 8) * 8
        order = jnp.argsort(choice)
        send = jnp.zeros((places, x.shape[1])).at[: len(x)].set(x[order])
        got = jax.lax.all_to_all(send, "d", 0, 0, tiled=True)
        back = jax.lax.all_to_all(jnp.tanh(got @ w[0]), "d", 0, 0, tiled=True)
        return back[: len(x)][jnp.argsort(order)]

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
