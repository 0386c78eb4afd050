# expects: check computed-again
# says: The policy keeps values with a name that none of your values has. So nothing but the arguments
#     is kept.
"""Spells the name differently."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names("projections")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
