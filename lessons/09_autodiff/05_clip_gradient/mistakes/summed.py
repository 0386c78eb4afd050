# expects: check gradient
# says: Your gradient is a single number. Each entry of `x` has its own, clipped by itself.
"""Returns one number where x has several entries."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(packed, g):
    lo, hi = packed
    return jnp.clip(g.sum(), lo, hi), None, None


clip_gradient.defvjp(forward, backward)
