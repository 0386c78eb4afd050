# expects: check jaxpr
# says: `jax.grad` received the place as a setting of its own. The place belongs into a second pair
#     of parentheses.
"""Passes the place to grad instead of the function that it returns."""

import jax


def uphill(height, place):
    return jax.grad(height, place)
