# expects: check values
# says: Your answer goes wrong at very low temperatures. A positive one counts as it is, and 0 needs
#     a case of its own.
"""Replaces 0 by a tiny temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / jnp.where(temperature == 0, 1e-6, temperature))
