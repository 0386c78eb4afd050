# expects: check axis-name
# says: Your rows are cut over all devices, along an axis of another name. The problem names it
#     `d`; other code will ask for it by that name.
"""Uses a name of its own for the axis."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("rows",))
    return jax.device_put(x, NamedSharding(mesh, P("rows")))
