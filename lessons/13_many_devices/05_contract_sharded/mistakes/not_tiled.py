# expects: specs-rank-mismatch at 15
"""Leaves tiled out, so an axis is gone."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        return jax.lax.psum_scatter(a @ b, "d")

    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P("d", None))(a, b)
