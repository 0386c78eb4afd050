"""Branching on values: clip the negatives without an `if`."""

import jax.numpy as jnp


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    # TODO: this looks at one element only, and `if` cannot be compiled.
    if x[0] < 0:
        x = x.at[0].set(0)
    return jnp.asarray(x)
