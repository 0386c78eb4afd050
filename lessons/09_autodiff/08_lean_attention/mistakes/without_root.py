# expects: check values
# says: Your scores are not divided by the root of h.
"""Leaves the division out."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names("projection")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
