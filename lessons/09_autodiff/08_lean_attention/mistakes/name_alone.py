# expects: check kept
# says: You name the projections, but no policy says what the name means.
"""Names without a policy."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def attend(x, wq, wk, wv):
    q, k, v = (checkpoint_name(x @ w, "projection") for w in (wq, wk, wv))
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    return attend(x, wq, wk, wv)
