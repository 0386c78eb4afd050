# expects: check kept
# says: Your policy forgets the scores, and keeps everything else: the table after the softmax too.
"""Forgets the scores alone."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (x @ w for w in (wq, wk, wv))
    scores = checkpoint_name(q @ k.T / jnp.sqrt(q.shape[-1]), "scores")
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_anything_except_these_names("scores")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
