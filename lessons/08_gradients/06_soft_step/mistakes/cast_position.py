# expects: check values
# says: Your answer is the hard position, which jumps. A smooth answer lies between positions,
#     unless one entry dominates.
"""Casts a position to a float."""

import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.argmax(beta * x).astype(jnp.float32)
