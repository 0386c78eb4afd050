# expects: check dtype
# says: Your answer is `float32` even for `bfloat16` arguments: there are no complex numbers of 16
#     bits.
"""Goes by way of complex numbers, which have no short dtype."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    waves = jnp.exp(2j * jnp.pi * x[:, None] * freqs)
    return jnp.concatenate([waves.imag, waves.real], axis=-1)
