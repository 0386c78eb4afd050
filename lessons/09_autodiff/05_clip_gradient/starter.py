"""A backward pass of your own: the gradient is clipped as it passes."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    """Return x; in the backward pass, clip the gradient to the range from lo to hi."""
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(packed, g):
    # TODO: the gradient passes through unchanged.
    return g, None, None


clip_gradient.defvjp(forward, backward)
