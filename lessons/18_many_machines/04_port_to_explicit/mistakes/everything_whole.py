# expects: check sharding
# says: Your scores are whole on every device: each of them computes all products.
"""Gathers first and computes everything everywhere."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    whole = NamedSharding(jax.typeof(x).sharding.mesh, P(None, None))
    x = jax.sharding.reshard(x, whole)
    unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T, unit[pick]
