# expects: check values
# says: Your answer adds up what comes back in all boxes, also from experts that were not asked
#     and have seen an empty place.
"""Adds a bias of no use: the results of empty places are not zero in general."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        mine = choice == jnp.arange(8)[:, None]
        send = jnp.where(mine[:, :, None], x, 1)
        got = jax.lax.all_to_all(send, "d", 0, 0)
        back = jax.lax.all_to_all(jnp.tanh(got @ w[0]), "d", 0, 0)
        return back.sum(axis=0)

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
