# expects: check gradient
# says: `save_only_these_names` takes names and returns the policy. You pass it without names.
"""Passes the maker of policies."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
