# expects: check loads
# says: Your answer loads the whole batch at once. On many hosts, each of them would do so.
"""Loads everything, and cuts in the callback."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    rows = load(0, shape[0])
    return jax.make_array_from_callback(shape, NamedSharding(mesh, P("data")), lambda i: rows[i])
