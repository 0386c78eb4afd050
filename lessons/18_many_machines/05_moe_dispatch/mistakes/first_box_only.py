# expects: check values
# says: Your answer reads the first box only, which expert 0 has filled. The result of a token is
#     in the box of the expert that it chose.
"""Takes the box of the first expert for all."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        mine = choice == jnp.arange(8)[:, None]
        send = jnp.where(mine[:, :, None], x, 0)
        got = jax.lax.all_to_all(send, "d", 0, 0)
        back = jax.lax.all_to_all(jnp.tanh(got @ w[0]), "d", 0, 0)
        return back[0]

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
