# expects: check gradient
# says: Your forward function returns one thing. It has to return two: the value, and what the
#     backward pass needs.
"""Returns the value alone from the forward function."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x


def backward(packed, g):
    lo, hi = packed
    return jnp.clip(g, lo, hi).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
