# expects: check values
"""Clips the scores so that nothing overflows: large entries become equal."""

import jax.numpy as jnp


def soft_argmax(x, beta):
    exponentials = jnp.exp(jnp.clip(beta * x, -80, 80))
    return jnp.sum(exponentials * jnp.arange(x.shape[0])) / jnp.sum(exponentials)
