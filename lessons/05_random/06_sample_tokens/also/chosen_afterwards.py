"""A draw that may be nonsense at 0, and is not chosen then."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    drawn = jax.random.categorical(key, logits / temperature)
    return jax.lax.select(temperature == 0, jnp.argmax(logits), drawn)
