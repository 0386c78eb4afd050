# expects: check values
# says: Your answer reports an index out of range, which is clamped here and is not an error.
"""Takes all sets of errors."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    checked = jax.jit(checkify.checkify(on_all, errors=checkify.all_checks))

    def g(x):
        error, y = checked(x)
        return error.get(), y

    return g
