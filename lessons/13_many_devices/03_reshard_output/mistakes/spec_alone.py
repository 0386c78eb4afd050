# expects: check jaxpr
# says: Your spec comes without a mesh, and none has been set. The type of `x` knows the mesh it
#     lies on.
"""Gives a spec and no mesh."""

import jax
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    return jax.reshard(x.sum(axis=1), P())
