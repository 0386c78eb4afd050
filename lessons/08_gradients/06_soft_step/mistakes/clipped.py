# expects: check values
# says: Large entries share the weight equally in your answer, even if they differ. The clipping
#     made them equal.
"""Clips the scores to avoid overflow: large entries become equal."""

import jax.numpy as jnp


def soft_argmax(x, beta):
    exponentials = jnp.exp(jnp.clip(beta * x, -80, 80))
    return jnp.sum(exponentials * jnp.arange(x.shape[0])) / jnp.sum(exponentials)
