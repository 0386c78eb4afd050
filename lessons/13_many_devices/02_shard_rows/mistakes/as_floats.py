# expects: check dtype
# says: Your answer is float32 whatever `x` is. Cutting an array does not change its dtype.
"""Converts first."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = jax.make_mesh((8,), ("d",))
    return jax.device_put(jnp.asarray(x, jnp.float32), NamedSharding(mesh, P("d")))
