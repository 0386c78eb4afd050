# expects: check values
# says: Your answer does not have the shape of `x`. Only where the rows lie changes.
"""Turns the other axes into one."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    return jax.device_put(x.reshape(8, -1), NamedSharding(mesh, P("d")))
