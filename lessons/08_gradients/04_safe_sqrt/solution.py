"""The double where: a length with a gradient everywhere."""

import jax.numpy as jnp


def safe_norm(x):
    """Return the length of x along the last axis, with gradient 0 at zero."""
    square = jnp.sum(x**2, axis=-1)
    zero = square == 0
    # The root never sees a 0, so no infinite slope meets the 0 of the backward pass.
    root = jnp.sqrt(jnp.where(zero, 1.0, square))
    return jnp.where(zero, 0.0, root)
