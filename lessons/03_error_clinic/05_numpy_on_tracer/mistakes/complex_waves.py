# expects: check dtype
# says: Your answer is `float32` even for `bfloat16` arguments: a number with a dtype of its own
#     took part in the product.
"""Goes by way of complex numbers, which have no short dtype."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    waves = jnp.exp(2j * jnp.pi * x[:, None] * freqs)
    return jnp.concatenate([waves.imag, waves.real], axis=-1)
