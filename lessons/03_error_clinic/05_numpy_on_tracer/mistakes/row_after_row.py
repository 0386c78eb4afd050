# expects: check equations
# says: Your program grows with the number of times: each is written down separately. One
#     operation can compute the angles of all of them.
"""Converts every call and keeps the loop, which is written down round by round."""

import jax.numpy as jnp


def fourier_features(x, freqs):
    rows = []
    for t in x:
        angles = 2 * jnp.pi * t * freqs
        rows.append(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)]))
    return jnp.stack(rows)
