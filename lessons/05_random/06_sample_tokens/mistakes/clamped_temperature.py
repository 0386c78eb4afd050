# expects: check values
# says: Your answer goes wrong at very low temperatures. A positive one counts as it is, and 0 needs
#     a case of its own.
"""Never divides by less than 0.01."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jax.random.categorical(key, logits / jnp.maximum(temperature, 0.01))
