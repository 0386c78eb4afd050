# expects: boolean-mask-index at 15
"""Takes out exactly the tokens of each expert."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def moe_dispatch(x, choice, w):
    def block(x, choice, w):
        out = jnp.zeros_like(x)
        for expert in range(8):
            chosen = x[choice == expert]
            out = out.at[choice == expert].set(jnp.tanh(chosen @ w[0]))
        return out

    return jax.shard_map(block, mesh=MESH, in_specs=P("d"), out_specs=P("d"))(x, choice, w)
