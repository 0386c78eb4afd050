# expects: nan-grad-of-norm-at-zero at 8
"""Takes the root of whatever comes."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.sqrt(jnp.sum(x**2, axis=-1))
