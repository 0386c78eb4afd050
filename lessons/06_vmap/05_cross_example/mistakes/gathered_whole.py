# expects: check values
"""Takes the mean of everything that it gathers."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.all_gather(x, "batch").mean()
