# expects: check jaxpr
"""Asks Python to round an array."""

import jax


def round_ste(x):
    return x + jax.lax.stop_gradient(int(x) - x)
