# expects: check gradient
# says: Your gradient is clipped to a symmetric range, from minus the upper bound to the upper
#     bound. The lower bound has a say of its own.
"""Uses the upper bound for both sides."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x


def forward(x, lo, hi):
    return x, hi


def backward(hi, g):
    return jnp.clip(g, -hi, hi).astype(g.dtype), None, None


clip_gradient.defvjp(forward, backward)
