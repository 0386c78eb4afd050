# expects: ambiguous-contraction at 11
"""Multiplies, and does not say where the product should live."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    return a @ b
