# expects: check values
# says: Your answer subtracts the sum of the batch, not its mean.
"""Subtracts the sum of the batch."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.psum(x, "batch")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
