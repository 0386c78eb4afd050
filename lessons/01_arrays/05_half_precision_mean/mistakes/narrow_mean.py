# expects: check values
"""Makes the mean itself work in 16 bits."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.mean(x, dtype=jnp.float16)
