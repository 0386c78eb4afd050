# expects: check dtype
# says: Your answer is `float32` even for `bfloat16` arguments: a number with a dtype of its own
#     took part in the product.
"""Keeps 2 pi as a NumPy number, whose dtype counts: bfloat16 becomes float32."""

import jax.numpy as jnp
import numpy as np

TWO_PI = np.float32(2 * np.pi)


def fourier_features(x, freqs):
    angles = TWO_PI * x[:, None] * freqs
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
