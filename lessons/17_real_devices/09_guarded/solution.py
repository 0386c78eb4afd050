"""Errors from eight devices: say what went wrong, and on which of them."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
ERRORS = checkify.user_checks | checkify.float_checks


def guarded(f):
    """Return g: g(x) runs f on the rows of each device, and returns a message or None, and y."""
    on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    checked = jax.jit(checkify.checkify(on_all, errors=ERRORS))  # around the eight devices

    def g(x):
        error, y = checked(x)
        return error.get(), y  # outside: the text depends on a value

    return g
