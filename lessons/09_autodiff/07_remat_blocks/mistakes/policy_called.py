# expects: check values
# says: With `keep_dots=True` the policy itself is called, and it is JAX that has to call it.
"""Calls the policy, which only JAX should call."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    policy = jax.checkpoint_policies.dots_saveable() if keep_dots else None
    for w in ws:
        x = jax.checkpoint(block, policy=policy)(x, w)
    return x
