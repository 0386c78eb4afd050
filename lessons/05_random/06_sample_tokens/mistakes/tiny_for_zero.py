# expects: check values
# says: Your answer at temperature 0 still depends on the key when two logits are nearly equal: a
#     tiny temperature is not 0.
"""Replaces 0 by a tiny temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / jnp.where(temperature == 0, 1e-6, temperature))
