# expects: check replicated
"""Asks an inner jit, which an outer one passes over."""

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    home = NamedSharding(jax.make_mesh((8,), ("d",)), P())
    return jax.jit(lambda x: x.sum(axis=1), out_shardings=home)(x)
