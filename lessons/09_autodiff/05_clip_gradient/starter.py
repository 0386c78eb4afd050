"""A backward pass of your own: the gradient is clipped on its way."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    """Return x; on the way back, clip the gradient to between lo and hi."""
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(packed, g):
    # TODO: the gradient goes through here as it is.
    return g, None, None


clip_gradient.defvjp(forward, backward)
