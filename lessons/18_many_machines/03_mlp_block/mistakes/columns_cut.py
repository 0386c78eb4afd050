# expects: check sharding
# says: Your answer is cut along both axes. It goes on with whole rows, as `x` came.
"""Leaves the columns cut."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    both = NamedSharding(jax.typeof(x).sharding.mesh, P("data", "model"))
    return jnp.dot(hidden, w2, out_sharding=both) + b2
