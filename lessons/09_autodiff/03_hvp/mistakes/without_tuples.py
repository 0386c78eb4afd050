# expects: check jaxpr
"""Gives the arguments as they are."""

import jax


def hvp(f, x, v):
    return jax.jvp(jax.grad(f), x, v)[1]
