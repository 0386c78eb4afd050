# expects: check values
"""Takes the mean within the example."""

import jax
import jax.numpy as jnp


def center(x):
    return x - x.mean()
