# expects: check values
# says: Your answer fails where the loss has a matrix product: in the backward pass it sums over
#     the axis that is cut. Write what each device does.
"""Leaves it to the compiler, which cannot decide at a product."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    return jax.value_and_grad(loss)(w, x)
