# expects: check values
# says: Your answer has the eight parts laid end to end. They have the full shape and have to be
#     added.
"""Lays the parts end to end."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(lambda a, b: a @ b, mesh=MESH, in_specs=specs, out_specs=P("d"))(a, b)
