# expects: check dtype
"""Goes wide and does not come back."""

import jax.numpy as jnp


def mean_f16(x):
    return x.astype(jnp.float32).mean()
