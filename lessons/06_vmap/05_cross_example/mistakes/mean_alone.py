# expects: check values
# says: Your answer is the mean of the batch. It should be subtracted from the example.
"""Returns the mean and forgets the example."""

import jax
import jax.numpy as jnp


def center(x):
    return jax.lax.pmean(x, "batch")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
