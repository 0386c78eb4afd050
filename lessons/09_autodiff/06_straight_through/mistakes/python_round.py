# expects: TypeError at 8
"""Lets Python round an array."""

import jax


def round_ste(x):
    return x + jax.lax.stop_gradient(int(x) - x)
