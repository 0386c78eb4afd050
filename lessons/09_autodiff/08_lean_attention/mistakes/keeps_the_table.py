# expects: check kept
# says: You name the table of scores as well. It is the one array that should not be kept.
"""Names the scores too."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = checkpoint_name(q @ k.T / jnp.sqrt(q.shape[-1]), "projection")
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names("projection")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
