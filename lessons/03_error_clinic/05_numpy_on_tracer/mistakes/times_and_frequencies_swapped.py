# expects: check values
# says: Your table holds the right angles in the wrong places. A row belongs to a time and a
#     column to a frequency.
"""Makes a row for each frequency, and reshapes it to fit."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    angles = (2 * jnp.pi * freqs[:, None] * x).reshape(x.size, freqs.size)
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)
