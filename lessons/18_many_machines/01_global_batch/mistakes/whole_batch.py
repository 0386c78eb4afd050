# expects: check loads
# says: Your answer loads the whole batch at once. On many hosts, each of them would do so.
"""Loads everything, and distributes it."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    return jax.device_put(load(0, shape[0]), NamedSharding(mesh, P("data")))
