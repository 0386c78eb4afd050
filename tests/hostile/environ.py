# expects: passed: checks hold
# It empties its environment.
import os

import jax.numpy as jnp

os.environ.clear()
os.environ = None


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
