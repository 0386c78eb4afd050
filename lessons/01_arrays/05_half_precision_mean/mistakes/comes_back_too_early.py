# expects: check values
"""Makes the sum narrow before it is divided."""

import jax.numpy as jnp


def mean_f16(x):
    total = x.astype(jnp.float32).sum().astype(x.dtype)
    return total / x.size
