# expects: check values
# says: Your answer does not depend on `beta`. The exponent is `beta` times the entry.
"""Leaves beta out."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(jax.nn.softmax(x) * jnp.arange(x.size))
