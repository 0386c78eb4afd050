# expects: check sharding
# says: Your answer has been copied to the host. It stays on the eight devices.
"""Returns numpy."""

import numpy as np

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    errors = checkify.user_checks | checkify.float_checks
    checked = jax.jit(checkify.checkify(on_all, errors=errors))

    def g(x):
        error, y = checked(x)
        return error.get(), np.asarray(y)

    return g
