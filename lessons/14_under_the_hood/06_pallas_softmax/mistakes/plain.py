# expects: check primitive
"""Calls the softmax of jax.nn."""

import jax


def softmax(x):
    return jax.nn.softmax(x, axis=-1)
