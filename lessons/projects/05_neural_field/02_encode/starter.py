"""Waves in place of coordinates."""

import jax.numpy as jnp


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    # TODO: each column of waves is one wave. This is the first half, with another unit.
    return jnp.sin(places @ waves)
