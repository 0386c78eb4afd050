# expects: check sharding
# says: Your answer is whole on every device. Its rows stay cut over `data`.
"""Asks for a result that is whole."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    whole = NamedSharding(jax.typeof(x).sharding.mesh, P(None, None))
    return jnp.dot(hidden, w2, out_sharding=whole) + b2
