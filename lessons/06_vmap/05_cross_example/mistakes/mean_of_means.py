# expects: check values
# says: Your answer subtracts one number everywhere: the mean over the batch and over all
#     positions. Each position has its own mean.
"""Takes the mean over the batch and over the places."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x.mean(), "batch")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
