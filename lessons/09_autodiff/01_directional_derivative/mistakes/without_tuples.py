# expects: check jaxpr
"""Gives the arguments as they are."""

import jax


def directional(f, x, v):
    return jax.jvp(f, x, v)[1]
