# expects: check values
# says: Your answer subtracts one number everywhere: the mean over the batch and over all
#     positions. Each position has its own mean.
"""Takes the mean of everything that it gathers."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.all_gather(x, "batch").mean()


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
