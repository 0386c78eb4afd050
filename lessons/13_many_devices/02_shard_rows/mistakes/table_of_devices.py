# expects: check blocks
# says: Your rows are cut into too few blocks, so some devices hold the same one. A mesh with two
#     axes cuts along both only if the spec says so.
"""Cuts along one axis of a table, so that every block is held twice."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((4, 2), ("d", "e"))
    return jax.device_put(x, NamedSharding(mesh, P("d")))
