# expects: check leaks
# says: Your rule uses the bounds from the function around it. If they are differentiated too,
#     they are tracers that outlive their trace. Save them in the forward function.
"""Closes over the bounds, which may themselves be differentiated."""

import jax
import jax.numpy as jnp


def clip_gradient(x, lo, hi):
    @jax.custom_vjp
    def same(x):
        return x

    def forward(x):
        return x, None

    def backward(packed, g):
        return (jnp.clip(g, lo, hi).astype(g.dtype),)

    same.defvjp(forward, backward)
    return same(x)
