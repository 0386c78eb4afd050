# expects: check gradient
# says: Your gradient is scaled as a whole, by its length. Here each entry is clipped separately.
"""Scales the whole gradient down to a length."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, hi


def backward(hi, g):
    size = jnp.linalg.norm(g)
    return (g * jnp.minimum(1, hi / size)).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
