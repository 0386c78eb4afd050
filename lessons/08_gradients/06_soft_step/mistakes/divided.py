# expects: check values
# says: Your answer gets softer as `beta` grows. It should get sharper: `beta` is not a
#     temperature, but the inverse of one.
"""Divides by beta, as by a temperature."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(jax.nn.softmax(x / beta) * jnp.arange(x.shape[0]))
