"""The sampler that takes probabilities."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    p = jax.nn.softmax(logits / safe)
    drawn = jax.random.choice(key, logits.shape[0], p=p)
    return jnp.where(temperature == 0, jnp.argmax(logits), drawn)
