# expects: traced-bool-in-while at 9
"""Lets Python decide whether to continue."""

import jax.numpy as jnp


def fixed_point(f, a, y0):
    y = f(a, y0)
    while jnp.max(jnp.abs(y - y0)) > 1e-6:
        y0, y = y, f(a, y)
    return y
