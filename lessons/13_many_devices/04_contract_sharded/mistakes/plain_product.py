# expects: check jaxpr
"""Multiplies, and does not say how the product shall lie."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    return a @ b
