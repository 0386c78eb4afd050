"""Uses the sharding of the type, with another spec."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    sums = jnp.sum(x, axis=-1)
    return jax.reshard(sums, jax.typeof(sums).sharding.update(spec=P(None)))
