"""Maps over an array of indices."""

import jax
import jax.numpy as jnp


def batched_outer(a, b):
    return jax.vmap(lambda i: jnp.outer(a[i], b[i]))(jnp.arange(len(a)))
