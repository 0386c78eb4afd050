"""Logits, not probabilities: the next word of a language model."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    """Return the index of one word, drawn at this temperature."""
    safe = jnp.where(temperature > 0, temperature, 1)  # never divide by 0
    drawn = jax.random.categorical(key, logits / safe)
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
