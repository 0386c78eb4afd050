# expects: check values
# says: Your answer has the cosines below the sines. They belong beside them, in the same row.
"""Joins the two tables along the wrong axis."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    angles = 2 * jnp.pi * x[:, None] * freqs
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=0)
