# expects: check values
# says: Your answer negates `x`, and unsigned integers have no negative: they wrap around. Choose
#     without changing a sign.
"""Turns the sign round, takes the smaller one, and turns it back."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return -jnp.minimum(-x, 0)
