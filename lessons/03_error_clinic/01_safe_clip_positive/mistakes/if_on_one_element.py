# expects: traced-bool-in-if at 9
"""Looks at the first element, and asks Python to choose."""

import jax.numpy as jnp


def safe_clip_positive(x):
    result = jnp.asarray(x)
    if x[0] < 0:
        result = result.at[0].set(0)
    return result
