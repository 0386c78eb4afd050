# expects: check values
"""Gives the direction as the point."""

import jax


def hvp(f, x, v):
    return jax.jvp(jax.grad(f), (v,), (x,))[1]
