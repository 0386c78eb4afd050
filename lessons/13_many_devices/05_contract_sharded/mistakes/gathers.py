# expects: check no-primitive
# says: Your answer is right, but every device fetches all of `a` or `b`. Each can multiply what
#     it has; only sums have to be sent.
"""Fetches all of a and b, and multiplies everything everywhere."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        a = jax.lax.all_gather(a, "d", axis=1, tiled=True)
        b = jax.lax.all_gather(b, "d", axis=0, tiled=True)
        size = a.shape[0] // 8
        here = jax.lax.axis_index("d") * size
        return jax.lax.dynamic_slice_in_dim(a @ b, here, size)

    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P("d", None))(a, b)
