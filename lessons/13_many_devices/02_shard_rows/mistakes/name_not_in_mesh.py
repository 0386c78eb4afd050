# expects: spec-axis-not-in-mesh at 11
"""The spec names another axis than the mesh."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    return jax.device_put(x, NamedSharding(mesh, P("rows")))
