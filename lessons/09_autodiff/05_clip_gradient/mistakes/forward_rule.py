# expects: check gradient
# says: Your rule is one for forward mode, and clipping is not linear in the direction, so JAX
#     cannot transpose it. Write the backward pass instead.
"""Clips the direction in forward mode, which cannot be transposed."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def clip_gradient(x, lo, hi):
    return x


@clip_gradient.defjvp
def rule(primals, tangents):
    x, lo, hi = primals
    return x, jnp.clip(tangents[0], lo, hi).astype(x.dtype)
