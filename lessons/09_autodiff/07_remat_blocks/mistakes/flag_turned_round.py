# expects: check kept
# says: Your flag works the other way round: the products are kept without `keep_dots`, and
#     recomputed with it.
"""Chooses the policy where the flag is false."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    policy = None if keep_dots else jax.checkpoint_policies.dots_saveable
    lean = jax.checkpoint(block, policy=policy)
    for w in ws:
        x = lean(x, w)
    return x
