# expects: check values
# says: Your first elements come from the right. A pair is `(from, to)`, and the left neighbour is
#     on the device before.
"""Takes the pairs for (to, from)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def halo_left(x):
    def shift(block):
        edge = jax.lax.ppermute(block[-1:], "d", [((i + 1) % 8, i) for i in range(8)])
        return jnp.concatenate([edge, block[:-1]])

    return jax.shard_map(shift, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x)

