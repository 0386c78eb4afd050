# expects: check values
"""Goes wide for the sum, and not for the number of elements."""

import jax.numpy as jnp


def mean_f16(x):
    return (x.sum(dtype=jnp.float32) / jnp.float16(x.size)).astype(x.dtype)
