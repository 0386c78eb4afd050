# expects: float-on-tracer at 8
"""Turns the height into a Python number first."""

import jax


def uphill(height, place):
    return jax.grad(lambda x: float(height(x)))(place)
