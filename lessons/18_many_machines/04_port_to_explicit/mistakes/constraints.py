# expects: ShardingTypeError at 14
"""Leaves the constraints."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    whole = NamedSharding(jax.typeof(x).sharding.mesh, P(None, None))
    unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    everything = jax.lax.with_sharding_constraint(unit, whole)
    return unit @ everything.T, jax.lax.with_sharding_constraint(unit[pick], whole)
