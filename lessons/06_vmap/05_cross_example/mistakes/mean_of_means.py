# expects: check values
"""Takes the mean over the batch and over the places."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x.mean(), "batch")
