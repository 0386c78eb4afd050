# expects: check leaks
"""Closes over the bounds, which may be part of the differentiation."""

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
