"""Writes what each device does."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    def block(x):
        unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
        everything = jax.lax.all_gather(unit, "row", tiled=True)
        return unit, unit @ everything.T

    mesh = jax.typeof(x).sharding.mesh
    unit, scores = jax.shard_map(block, mesh=mesh, in_specs=P("row"), out_specs=P("row"))(x)
    return scores, unit.at[pick].get(out_sharding=NamedSharding(mesh, P(None, None)))
