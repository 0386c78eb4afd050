# expects: check experts-stay
# says: Your answer brings all tokens to every device, and each expert works on all of them.
"""Gathers the tokens, and sums the results."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        xs = jax.lax.all_gather(x, "d", tiled=True)
        choices = jax.lax.all_gather(choice, "d", tiled=True)
        here = choices == jax.lax.axis_index("d")
        done = jnp.where(here[:, None], jnp.tanh(xs @ w[0]), 0)
        return jax.lax.psum_scatter(done, "d", tiled=True)

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
