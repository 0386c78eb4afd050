# expects: check kept
# says: The policy that you use keeps the results of all matrix products. The table of scores is one of
#     them.
"""Keeps the dots."""

import jax
import jax.numpy as jnp


def attend(x, wq, wk, wv):
    q, k, v = (x @ w for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.dots_saveable
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
