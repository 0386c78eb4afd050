# expects: check values
"""Divides by the temperature without a guard."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / temperature)
