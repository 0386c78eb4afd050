# expects: check no-constraint
# says: Your program is an island of automatic axes in an explicit one. It runs, and nothing has
#     been ported.
"""Makes the axes automatic again."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def similarity(x, pick):
    mesh = jax.typeof(x).sharding.mesh
    cut, whole = NamedSharding(mesh, P("row", None)), NamedSharding(mesh, P(None, None))

    def old(x, pick):
        unit = x / jnp.linalg.norm(x, axis=1, keepdims=True)
        return unit @ unit.T, unit[pick]

    return jax.sharding.auto_axes(old)(x, pick, out_sharding=(cut, whole))
