"""When the gradient is zero, and right: a position with a slope."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    """Return the mean position under the softmax weights of beta * x."""
    # TODO: a position jumps. Its gradient is 0, whatever it is cast to.
    return jnp.argmax(beta * x).astype(jnp.float32)
