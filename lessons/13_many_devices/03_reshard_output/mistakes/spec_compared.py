# expects: check replicated
# says: Your sums are still cut. A spec is never equal to a tuple, so a comparison with one is
#     always false.
"""Compares a spec with a tuple, which is never equal."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    sums = x.sum(axis=1)
    here = jax.typeof(sums).sharding
    if here.spec == ("d",):
        return jax.reshard(sums, NamedSharding(here.mesh, P()))
    return sums
