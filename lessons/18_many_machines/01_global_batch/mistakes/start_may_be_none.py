# expects: check values
# says: Your answer fails where the axis is not cut: the slice is then `slice(None)`, and its start
#     is None.
"""Takes start and stop as they are."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    loaded = {}

    def block(index):
        start, stop = index[0].start, index[0].stop
        if start not in loaded:
            loaded[start] = load(start, stop)
        return loaded[start]

    return jax.make_array_from_callback(shape, NamedSharding(mesh, P("data")), block)
