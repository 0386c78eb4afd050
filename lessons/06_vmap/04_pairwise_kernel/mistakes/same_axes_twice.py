# expects: vmap-axis-mismatch at 9
"""Maps both arguments in both maps."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return jax.vmap(jax.vmap(k))(X, Y)
