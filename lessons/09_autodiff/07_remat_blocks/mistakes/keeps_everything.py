# expects: check kept-dots
# says: With `keep_dots=True` everything inside a block is kept. Besides the input, only the
#     product should be.
"""Uses the policy that keeps everything."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    policy = jax.checkpoint_policies.everything_saveable if keep_dots else None
    for w in ws:
        x = jax.checkpoint(block, policy=policy)(x, w)
    return x
