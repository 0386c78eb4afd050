# expects: custom-vjp-cotangent-count at 17
"""Returns one array where a tuple is needed."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x

def forward(x, lo, hi):
    return x, (lo, hi)

def backward(packed, g):
    lo, hi = packed
    return jnp.clip(g, lo, hi).astype(g.dtype)

clip_gradient.defvjp(forward, backward)
