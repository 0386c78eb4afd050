# expects: check values
"""Returns the mean and forgets the example."""

import jax
import jax.numpy as jnp


def center(x):
    return jax.lax.pmean(x, "batch")
