# expects: check one-reduction
# says: Your answer makes the hidden layer and a matrix whole, and every device computes all of it.
#     The parts can be multiplied where they are.
"""Makes everything whole before the second product."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    mesh = jax.typeof(x).sharding.mesh
    hidden = jax.nn.gelu(x @ w1 + b1)
    hidden = jax.sharding.reshard(hidden, NamedSharding(mesh, P("data", None)))
    w2 = jax.sharding.reshard(w2, NamedSharding(mesh, P(None, None)))
    return hidden @ w2 + b2
