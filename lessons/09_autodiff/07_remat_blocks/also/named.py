"""What is kept has a name."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def block(x, w):
    h = checkpoint_name(w @ x, "product")
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    names = ["product"] if keep_dots else []
    policy = jax.checkpoint_policies.save_only_these_names(*names)
    for w in ws:
        x = jax.checkpoint(block, policy=policy)(x, w)
    return x
