# expects: check frequencies
# says: Your answer is the largest logit at every temperature. At temperatures above 0 the other
#     words should come up too.
"""Takes the largest at every temperature."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    return jnp.argmax(logits)
