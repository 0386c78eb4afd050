# expects: passed: checks pass
# It has no standard streams any more.
import sys

import jax.numpy as jnp

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
