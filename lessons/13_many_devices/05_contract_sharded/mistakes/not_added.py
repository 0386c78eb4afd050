# expects: out-specs-not-replicated at 12
"""Says that all devices have the same, and they do not."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    specs = (P(None, "d"), P("d", None))
    return jax.shard_map(lambda a, b: a @ b, mesh=MESH, in_specs=specs, out_specs=P())(a, b)
