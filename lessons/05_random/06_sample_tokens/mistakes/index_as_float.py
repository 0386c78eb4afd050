# expects: check dtype
# says: Your answer is the right number, but not an integer.
"""Makes the index a float on the way."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    drawn = jax.random.categorical(key, logits / safe)
    greedy = temperature == 0
    return greedy * 1.0 * jnp.argmax(logits) + (1.0 - greedy) * drawn
