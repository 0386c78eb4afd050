# expects: ConcretizationTypeError at 8
"""Passes the place to grad instead of the function that it returns."""

import jax


def uphill(height, place):
    return jax.grad(height, place)
