# expects: check experts-stay
# says: Your answer is right, and each device has all experts for it. The experts stay where they
#     are: the tokens travel.
"""Gathers the experts."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        experts = jax.lax.all_gather(w, "d", tiled=True)
        return jnp.tanh(jnp.einsum("nk,nkj->nj", x, experts[choice]))

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
