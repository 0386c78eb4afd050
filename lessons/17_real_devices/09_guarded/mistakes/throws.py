# expects: check values
# says: Your answer raises the error. It is returned as a message, together with the answer.
"""Raises the error."""

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
        error.throw()
        return None, y

    return g
