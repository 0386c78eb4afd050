"""The product of each time with each frequency, by name."""

import math

import jax.numpy as jnp


def fourier_features(x, freqs):
    turns = jnp.einsum("n,k->nk", x, freqs)
    angles = 2 * math.pi * turns
    return jnp.concatenate((jnp.sin(angles), jnp.cos(angles)), axis=1)
