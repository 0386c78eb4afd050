# expects: value-instead-of-function at 8
"""Passes a number to grad."""

import jax


def uphill(height, place):
    return jax.grad(height(place))(place)
