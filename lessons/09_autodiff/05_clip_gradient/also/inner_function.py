"""A rule for an inner function that takes the bounds as one tree."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def fence(x, bounds):
    return x


fence.defvjp(
    lambda x, bounds: (x, bounds),
    lambda bounds, g: (jnp.clip(g, *bounds).astype(g.dtype), None),
)


def clip_gradient(x, lo, hi):
    return fence(x, (lo, hi))
