# expects: check frequencies
# says: Your frequencies are wrong: uniform noise times a probability does not preserve the
#     probabilities.
"""Multiplies the probabilities by uniform noise and takes the largest."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    p = jax.nn.softmax(logits / jnp.where(temperature > 0, temperature, 1))
    drawn = jnp.argmax(p * jax.random.uniform(key, p.shape))
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
