# expects: check loads
# says: Your answer loads rows again for each device that keeps them. On a mesh with a second axis,
#     several do.
"""Loads for each device."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    def block(index):
        start, stop, _ = index[0].indices(shape[0])
        return load(start, stop)

    return jax.make_array_from_callback(shape, NamedSharding(mesh, P("data")), block)
