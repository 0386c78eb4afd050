# expects: check gradient
# says: Entries outside the bounds become 0 in your gradient. They should become the bound that
#     they exceed.
"""Sets what lies outside the bounds to 0."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, (lo, hi)


def backward(packed, g):
    lo, hi = packed
    return jnp.where((g < lo) | (g > hi), 0, g).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
