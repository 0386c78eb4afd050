# expects: check replicated
# says: Your sums are still cut. The call for Auto meshes does nothing on this kind of mesh;
#     another one changes the layout.
"""Uses the call for Auto axes, which does nothing here."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    home = NamedSharding(jax.typeof(x).sharding.mesh, P())
    return jax.lax.with_sharding_constraint(x.sum(axis=1), home)
