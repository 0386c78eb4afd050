"""Bounds cast to the right dtype, and explicit zeros."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(bounds, g):
    lo, hi = jax.tree.map(lambda bound: jnp.asarray(bound, g.dtype), bounds)
    zeros = jax.tree.map(jnp.zeros_like, bounds)
    return (jnp.minimum(jnp.maximum(g, lo), hi), *zeros)


clip_gradient.defvjp(forward, backward)
