"""A uniform number, looked up among the sums of the probabilities."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    p = jax.nn.softmax(logits / jnp.where(temperature > 0, temperature, 1))
    drawn = jnp.sum(jnp.cumsum(p)[:-1] < jax.random.uniform(key))
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
