# expects: check values
# says: Your message does not say on which device it happened: the function is run on the whole
#     array, and not on the block of each device.
"""Leaves the devices to the compiler."""

import jax
from jax.experimental import checkify
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    checked = jax.jit(checkify.checkify(f, errors=checkify.user_checks | checkify.float_checks))

    def g(x):
        error, y = checked(x)
        return error.get(), y

    return g
