# expects: check values
# says: Your answer has a mesh of its own, and fails on another. An array brings its mesh with it.
"""Makes a mesh for itself."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("row",))


def similarity(x, pick):
    whole = NamedSharding(MESH, P(None, None))
    unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    everything = jax.sharding.reshard(unit, whole)
    return unit @ everything.T, unit.at[pick].get(out_sharding=whole)
