# expects: grad-nonscalar at 8
"""Differentiates the gradient once more."""

import jax


def uphill(height, place):
    return jax.grad(jax.grad(height))(place)
