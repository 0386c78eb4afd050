# expects: cond-pred-not-scalar at 9
"""Uses cond, which takes one boolean, for a choice at each place."""

import jax.numpy as jnp
from jax import lax


def safe_clip_positive(x):
    return lax.cond(x < 0, jnp.zeros_like, lambda x: x, x)
