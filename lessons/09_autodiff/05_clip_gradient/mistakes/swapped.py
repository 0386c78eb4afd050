# expects: check gradient
# says: The backward function receives the residuals first and the gradient second. In yours they
#     are swapped.
"""Takes the gradient first and the residuals second."""

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
