# expects: check no-primitive
# says: Your answer is right, but every device receives the whole sum and drops most of it. A
#     collective can deal the sum out instead.
"""Sends the whole sum to all, and lets them throw most of it away."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        total = jax.lax.psum(a @ b, "d")
        size = total.shape[0] // 8
        return jax.lax.dynamic_slice_in_dim(total, jax.lax.axis_index("d") * size, size)

    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P("d", None))(a, b)
