# expects: check dtype
"""Divides by an array of twos, which are float32."""

import jax.numpy as jnp


def halve(x):
    return x / (jnp.ones(x.shape) + jnp.ones(x.shape))
