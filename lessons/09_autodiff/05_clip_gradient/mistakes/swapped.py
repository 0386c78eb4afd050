# expects: check gradient
"""Takes the gradient first, and what was packed second."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(g, packed):
    lo, hi = packed
    return jnp.clip(g, lo, hi).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
