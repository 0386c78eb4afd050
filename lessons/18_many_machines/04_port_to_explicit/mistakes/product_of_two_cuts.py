# expects: ShardingTypeError at 13
"""Leaves the first hint out."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    whole = NamedSharding(jax.typeof(x).sharding.mesh, P(None, None))
    unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T, unit.at[pick].get(out_sharding=whole)
