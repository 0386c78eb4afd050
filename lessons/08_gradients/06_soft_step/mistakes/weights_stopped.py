# expects: check gradient
# says: The value is right, but the gradient is zero: nothing flows back through your weights.
"""Stops the gradient of the weights."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    weights = jax.lax.stop_gradient(jax.nn.softmax(beta * x))
    return jnp.sum(weights * jnp.arange(x.shape[0]))
