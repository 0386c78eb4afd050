# expects: check one-gather
# says: Your scores are computed whole on every device, and cut afterwards. Seven eighths of the
#     products are thrown away.
"""Computes everything everywhere, and cuts the table."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    mesh = jax.typeof(x).sharding.mesh
    x = jax.sharding.reshard(x, NamedSharding(mesh, P(None, None)))
    unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    scores = jax.sharding.reshard(unit @ unit.T, NamedSharding(mesh, P("row", None)))
    return scores, unit[pick]
