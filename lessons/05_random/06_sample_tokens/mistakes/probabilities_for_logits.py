# expects: check values
# says: Your answer draws the words too evenly: the sampler takes exponentials of what it gets,
#     and it got probabilities.
"""Passes probabilities to the sampler."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    drawn = jax.random.categorical(key, jax.nn.softmax(logits / safe))
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
