# expects: check gradient
# says: Your gradient is 0 where the value of `x` lies outside the bounds. It is the gradient that
#     is clipped, not `x`.
"""Masks by the value of x, as the derivative of a clipped value would."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, (x, lo, hi)


def backward(packed, g):
    x, lo, hi = packed
    return jnp.where((x < lo) | (x > hi), 0, g).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
