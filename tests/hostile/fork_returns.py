# expects: passed: checks pass
# It forks, and both go on with what comes next.
import os

import jax.numpy as jnp

os.fork()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
