# expects: check replicated
# says: Your sums are right, but they are not on every device of the mesh that `x` lies on. What
#     an inner `jax.jit` asks for does not bind the outer one.
"""Asks an inner jit, whose wish the outer one ignores."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    home = NamedSharding(jax.make_mesh((8,), ("d",)), P())
    return jax.jit(lambda x: x.sum(axis=1), out_shardings=home)(x)
