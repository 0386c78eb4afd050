# expects: traced-bool-in-while at 9
"""Asks Python whether to go on."""

import jax.numpy as jnp


def fixed_point(f, a, y0):
    y = f(a, y0)
    while jnp.max(jnp.abs(y - y0)) > 1e-6:
        y0, y = y, f(a, y)
    return y
