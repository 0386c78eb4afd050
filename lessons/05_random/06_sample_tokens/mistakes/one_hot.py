# expects: check values
# says: Your answer is a row with a 1 in it. It should be the index of that 1.
"""Returns a row with a 1 instead of an index."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    drawn = jax.random.categorical(key, logits / safe)
    best = jnp.where(temperature > 0, drawn, jnp.argmax(logits))
    return jax.nn.one_hot(best, logits.shape[0])
