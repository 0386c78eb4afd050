# expects: check computed-again
# says: Without a policy, your gradient keeps the arguments alone, and computes the projections again
#     as well.
"""Wraps everything."""

import jax
import jax.numpy as jnp


def attend(x, wq, wk, wv):
    q, k, v = (x @ w for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    return jax.checkpoint(attend)(x, wq, wk, wv)
