# expects: check values
"""Differentiates once, along v."""

import jax


def hvp(f, x, v):
    return jax.jvp(f, (x,), (v,))[1]
