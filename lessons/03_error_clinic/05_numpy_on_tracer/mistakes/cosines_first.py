# expects: check values
# says: Your answer has the cosines before the sines. All sines come first, and then all cosines.
"""Puts the cosines in front."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    angles = 2 * jnp.pi * jnp.outer(x, freqs)
    return jnp.concatenate([jnp.cos(angles), jnp.sin(angles)], axis=-1)
