# expects: check values
# says: Your answer has a mesh of its own, and fails on another. Arrays bring their mesh with them.
"""Makes a mesh for itself."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((2, 4), ("data", "model"))


def mlp_block(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    return jnp.dot(hidden, w2, out_sharding=NamedSharding(MESH, P("data", None))) + b2
