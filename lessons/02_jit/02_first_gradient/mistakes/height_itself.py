# expects: check values
# says: Your answer is the height at this place, not how fast it grows.
"""Compiles the height, and differentiates nothing."""

import jax


def uphill(height, place):
    return jax.jit(height)(place)
