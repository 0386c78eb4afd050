# expects: check replicated
# says: Your sums are still cut along an axis of the mesh. For a whole copy on every device, the
#     spec mentions no axis.
"""Reshards to the layout that the sums have already."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    mesh = jax.typeof(x).sharding.mesh
    return jax.reshard(x.sum(axis=1), NamedSharding(mesh, P(mesh.axis_names[0])))
