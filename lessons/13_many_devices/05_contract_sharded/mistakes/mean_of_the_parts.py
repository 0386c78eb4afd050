# expects: check values
# says: Your answer is eight times too small. The eight parts are added; it is a sum and not a
#     mean.
"""Divides the sum by the number of devices."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        return jax.lax.psum_scatter(a @ b, "d", scatter_dimension=0, tiled=True) / 8

    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(multiply, mesh=MESH, in_specs=specs, out_specs=P("d", None))(a, b)
