# expects: check values
# says: Your answer is a mean of the entries of `x`, a soft maximum. The problem asks for the mean
#     of their positions.
"""Averages the values, not the positions."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(jax.nn.softmax(beta * x) * x)
