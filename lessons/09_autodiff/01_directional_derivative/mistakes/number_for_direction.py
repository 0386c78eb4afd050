# expects: check jaxpr
# says: The direction has to have the shape of `x`. One number for all of it does not say which
#     way to go.
"""Passes one number as the direction, and multiplies afterwards."""

import jax


def directional(f, x, v):
    return jax.jvp(f, (x,), (1.0,))[1] * v
