# expects: tolist-on-tracer at 10
"""Looks for the largest in a Python list."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    values = logits.tolist()
    drawn = jax.random.categorical(key, logits / safe)
    return jnp.where(temperature > 0, drawn, values.index(max(values)))
