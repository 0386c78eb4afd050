# expects: check values
# says: Your answer is the gradient at the origin, whatever the place is.
"""Differentiates at another place."""

import jax
import jax.numpy as jnp


def uphill(height, place):
    return jax.grad(height)(jnp.zeros_like(place))
