"""Errors from eight devices: say what went wrong, and on which of them."""

import jax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def guarded(f):
    """Return g: g(x) runs f on the rows of each device, and returns a message or None, and y."""
    run = jax.jit(jax.shard_map(f, mesh=MESH, in_specs=P("d"), out_specs=P("d")))

    def g(x):
        # TODO: a NaN is returned without a word, and a check of f raises while tracing.
        return None, run(x)

    return g
