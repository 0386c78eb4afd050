# expects: check values
# says: Your answer multiplies the logits by the temperature. A low temperature makes the
#     differences between them larger, not smaller.
"""Multiplies by the temperature, except at 0."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    t = jnp.where(temperature == 0, 1, temperature)
    drawn = jax.random.categorical(key, logits * t)
    return jnp.where(temperature == 0, jnp.argmax(logits), drawn)
