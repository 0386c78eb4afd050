# expects: check values
"""Leaves it to the compiler, which asks back at a product."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    return jax.value_and_grad(loss)(w, x)
