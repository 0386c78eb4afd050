# expects: check blocks
# says: Your mesh leaves devices out. All eight hold a block.
"""A mesh of four devices leaves four idle."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((4,), ("d",), devices=jax.devices()[:4])
    return jax.device_put(x, NamedSharding(mesh, P("d")))
