"""Say where the result should live: the sum of each row, on every device."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    """Return the sum of each row of x, whole on every device of x's mesh."""
    mesh = jax.typeof(x).sharding.mesh  # the layout is part of the type
    return jax.reshard(x.sum(axis=1), NamedSharding(mesh, P()))
