# expects: check values
# says: Your answer at temperature 0 is not the largest logit: the division by 0 makes all of them
#     infinite, or NaN.
"""Divides by the temperature without a guard."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / temperature)
