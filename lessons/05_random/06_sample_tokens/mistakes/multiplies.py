# expects: check values
# says: Your answer does not follow the temperature: the lower it is, the more often the largest
#     logit should win. Check where the temperature enters.
"""Multiplies by the temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    drawn = jax.random.categorical(key, logits * temperature)
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
