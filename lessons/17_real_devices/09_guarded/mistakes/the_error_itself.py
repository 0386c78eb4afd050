# expects: check values
# says: Your first result is the error as a value. The problem asks for its text, or None.
"""Returns the error without asking for its text."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    on_all = jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    errors = checkify.user_checks | checkify.float_checks
    return jax.jit(checkify.checkify(on_all, errors=errors))
