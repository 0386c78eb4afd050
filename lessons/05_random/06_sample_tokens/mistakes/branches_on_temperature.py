# expects: traced-bool-in-if at 9
"""Branches on a traced temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    if temperature == 0:
        return jnp.argmax(logits)
    return jax.random.categorical(key, logits / temperature)
