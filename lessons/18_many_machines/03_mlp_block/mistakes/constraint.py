# expects: ambiguous-contraction at 13
"""Gives the compiler a hint, which is for automatic axes."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    rows = NamedSharding(jax.typeof(x).sharding.mesh, P("data", None))
    return jax.lax.with_sharding_constraint(hidden @ w2, rows) + b2
