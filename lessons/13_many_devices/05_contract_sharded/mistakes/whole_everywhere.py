# expects: check rows
# says: Your answer lies whole on every device. Each should hold its share of the rows.
"""Gives the whole sum to every device."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        return jax.lax.psum(a @ b, "d")

    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P())(a, b)
