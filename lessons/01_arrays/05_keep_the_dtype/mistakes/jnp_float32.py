# expects: check dtype
# says: Your answer has 32 bits even when `x` has 16: something in your expression has a dtype of
#     its own, and the wider dtype wins.
"""Names a dtype where none is needed."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.float32(0.5)
