# expects: check values
# says: Your answer at temperature 0 is still drawn: a small temperature in the place of 0 cannot
#     decide between logits that are close.
"""Replaces 0 by a small temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / jnp.maximum(temperature, 1e-3))
