# expects: check blocks
# says: Your answer lies where `x` lay. Moving an array makes a new one and leaves the old one in
#     place.
"""Moves the array, and returns the one that stayed."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    jax.device_put(x, NamedSharding(mesh, P("d")))
    return x
