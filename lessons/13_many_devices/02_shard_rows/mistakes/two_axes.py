# expects: check axis-name
# says: Your blocks are right, but the mesh has a second axis. Eight devices in a row need one
#     name.
"""Gives the mesh a second axis of length 1."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8, 1), ("d", "e"))
    return jax.device_put(x, NamedSharding(mesh, P("d")))
