# expects: check equations
"""Converts every call and keeps the loop, which is written down round by round."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    rows = []
    for t in x:
        angles = 2 * jnp.pi * t * freqs
        rows.append(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)]))
    return jnp.stack(rows)
