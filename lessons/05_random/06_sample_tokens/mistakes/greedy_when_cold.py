# expects: check frequencies
# says: Your answer is always the largest logit at low temperatures. Only at exactly 0 should it
#     be.
"""Takes the largest at all low temperatures."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0.05, temperature, 1)
    drawn = jax.random.categorical(key, logits / safe)
    return jnp.where(temperature > 0.05, drawn, jnp.argmax(logits))
