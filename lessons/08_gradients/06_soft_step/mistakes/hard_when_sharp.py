# expects: traced-bool-in-if at 9
"""Takes the hard position for a large beta."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    if beta > 100:
        return jnp.argmax(x).astype(jnp.float32)
    return jnp.sum(jax.nn.softmax(beta * x) * jnp.arange(x.shape[0]))
