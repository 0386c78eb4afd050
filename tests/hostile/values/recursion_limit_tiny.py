# expects: raised: recursion
# Leaves hardly any room for recursion.
import jax.numpy as jnp
import sys

sys.setrecursionlimit(40)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
