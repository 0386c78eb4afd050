# expects: check values
# says: Your answer becomes more random at low temperatures, and less at high ones. Check how the
#     temperature enters.
"""Multiplies by the temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    drawn = jax.random.categorical(key, logits * temperature)
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
