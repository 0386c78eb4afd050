# expects: check jaxpr
# says: Your answer is a function. Call it with the place.
"""Returns the function and does not call it."""

import jax


def uphill(height, place):
    return jax.grad(height)
