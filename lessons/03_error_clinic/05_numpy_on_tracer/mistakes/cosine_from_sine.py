# expects: check values
# says: Your cosines are never negative: they were computed from the sines, which do not know
#     their sign.
"""Computes the cosine from the sine, and loses its sign."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    sines = jnp.sin(2 * jnp.pi * jnp.outer(x, freqs))
    return jnp.concatenate([sines, jnp.sqrt(1 - sines**2)], axis=1)
