# expects: check values
# says: Your answer is a huge number where it should be infinite: replacing what is not a number
#     has replaced infinity as well.
"""Replaces NaN and infinities before it looks."""

import jax.numpy as jnp


def mean_of_positive(x):
    x = jnp.nan_to_num(x, nan=0.0, neginf=0.0)
    return jnp.maximum(x, 0).sum() / jnp.maximum((x > 0).sum(), 1)
