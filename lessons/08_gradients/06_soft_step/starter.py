"""When the gradient is zero, and right: a position with a slope."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    """Return the mean position under the softmax weights of beta * x."""
    # TODO: a position jumps. Its gradient is 0, even after a cast.
    return jnp.argmax(beta * x).astype(jnp.float32)
