# expects: check values
# says: Your answer divides the sum over the batch by the number of elements of one example.
#     Divide by the number of examples.
"""Divides the sum by the size of one example."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.psum(x, "batch") / x.size


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
