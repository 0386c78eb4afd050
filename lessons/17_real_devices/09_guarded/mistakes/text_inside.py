# expects: TracerBoolConversionError at 19
"""Asks for the text inside the compiled function."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    errors = checkify.user_checks | checkify.float_checks

    @jax.jit
    def g(x):
        error, y = checkify.checkify(on_all, errors=errors)(x)
        return error.get(), y

    return g
