# expects: check values
# says: Your answer subtracts the whole batch from each example, and so has an axis too many.
#     Reduce the batch to its mean first.
"""Gathers the batch and subtracts all of it."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.all_gather(x, "batch")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
