# expects: out-specs-not-replicated at 12
"""Adds up the hidden layer."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    def block(x, w1, b1, w2, b2):
        return jax.nn.gelu(jax.lax.psum(x @ w1 + b1, "model")) @ w2 + b2

    mesh = jax.typeof(x).sharding.mesh
    specs = (P("data"), P(None, "model"), P("model"), P("model"), P())
    return jax.shard_map(block, mesh=mesh, in_specs=specs, out_specs=P("data"))(x, w1, b1, w2, b2)
