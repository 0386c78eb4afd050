# expects: check frequencies
"""Takes the largest at every temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jnp.argmax(logits)
