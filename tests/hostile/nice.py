# expects: passed: checks pass
# It gives way to all others, as much as it can.
import os

import jax.numpy as jnp

os.nice(19)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
