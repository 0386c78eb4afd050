# expects: check values
# says: Your softmax runs down the columns. Each row of the table has to add up to 1.
"""Normalizes the wrong axis."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=0) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names("projection")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
