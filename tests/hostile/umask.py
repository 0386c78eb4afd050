# expects: passed: checks pass
# It lets nobody read what it writes, itself included.
import os

import jax.numpy as jnp

os.umask(0o777)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
