# expects: check traced-once
# says: Your function is traced at each call: what `jax.jit` returns is made and thrown away there.
"""Calls jit inside of g."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
ERRORS = checkify.user_checks | checkify.float_checks


def guarded(f):
    def g(x):
        on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
        error, y = jax.jit(checkify.checkify(on_all, errors=ERRORS))(x)
        return error.get(), y

    return g
