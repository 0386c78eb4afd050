"""Names the sets one by one, and compiles with a decorator."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    @jax.jit
    @lambda body: checkify.checkify(
        body, errors=checkify.user_checks | checkify.nan_checks | checkify.div_checks
    )
    @jax.shard_map(mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    def checked(block):
        return f(block)

    def g(x):
        error, y = checked(x)
        message = error.get()
        return message, y

    return g
