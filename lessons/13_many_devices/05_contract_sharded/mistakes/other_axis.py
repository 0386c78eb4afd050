# expects: mesh-axis-type-mismatch at 15
"""Cuts a by rows, which is not how it lies."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        return jax.lax.psum_scatter(a @ b, "d", tiled=True)

    specs = (P("d", None), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P("d", None))(a, b)
