"""The features of one time, mapped over the times."""

import jax
import jax.numpy as jnp


def fourier_features(x, freqs):
    def of_one(t):
        angles = 2 * jnp.pi * t * freqs
        return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)])

    return jax.vmap(of_one)(x)
