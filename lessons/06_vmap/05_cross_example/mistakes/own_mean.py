# expects: check values
# says: Your answer subtracts the mean within each example. The mean should be taken over the
#     batch.
"""Takes the mean within the example."""

import jax
import jax.numpy as jnp


def center(x):
    return x - x.mean()


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
