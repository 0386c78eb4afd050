# expects: check values
# says: Your answer is too small by a factor of `n`: the weights add up to 1 already, so nothing is
#     left to divide by.
"""Averages over the positions once more, after weighting them."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    weights = jax.nn.softmax(beta * x)
    return jnp.mean(weights * jnp.arange(len(x)))
