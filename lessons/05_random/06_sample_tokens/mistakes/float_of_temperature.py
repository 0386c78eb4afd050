# expects: float-on-tracer at 9
"""Calls float() on a tracer."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    if float(temperature) == 0.0:
        return jnp.argmax(logits)
    return jax.random.categorical(key, logits / temperature)
