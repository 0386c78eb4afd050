"""Brings all rows everywhere, and adds up there."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    whole = jax.reshard(x, NamedSharding(jax.typeof(x).sharding.mesh, P()))
    return whole.sum(axis=1)
