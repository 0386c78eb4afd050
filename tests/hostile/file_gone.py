# expects: passed: checks pass
# It deletes its own file.
# in grade: raised: FileNotFoundError
import os

import jax.numpy as jnp

os.unlink(__file__)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
