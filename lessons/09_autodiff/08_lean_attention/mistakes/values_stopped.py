# expects: check gradient
# says: `stop_gradient` makes the gradient forget, too, and it is another gradient then.
"""Stops the gradient of the scores."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.lax.stop_gradient(jax.nn.softmax(scores, axis=-1)) @ v


def lean_attention(x, wq, wk, wv):
    policy = jax.checkpoint_policies.save_only_these_names("projection")
    return jax.checkpoint(attend, policy=policy)(x, wq, wk, wv)
