# expects: check jaxpr
# says: Your function gives `lax.cond` a whole array of conditions. It takes one boolean and runs
#     one of two functions; you need a choice at each place.
"""Uses cond, which takes one boolean, for a choice at each place."""

import jax.numpy as jnp
from jax import lax


def safe_clip_positive(x):
    return lax.cond(x < 0, jnp.zeros_like, lambda x: x, x)
