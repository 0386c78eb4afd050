# expects: check jaxpr
"""Announces rules, and gives none."""

import jax


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x
