# expects: check values
# says: Your rows are cut over all axes of the mesh. They are cut over `data` only, and repeated
#     along the others.
"""Cuts over all axes of the mesh."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    def block(index):
        start, stop, _ = index[0].indices(shape[0])
        return load(start, stop)

    sharding = NamedSharding(mesh, P(mesh.axis_names))
    return jax.make_array_from_callback(shape, sharding, block)
