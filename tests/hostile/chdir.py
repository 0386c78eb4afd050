# expects: passed: checks pass
# It leaves its folder for one that it removes.
import os
import tempfile

import jax.numpy as jnp

os.chdir("/")
folder = tempfile.mkdtemp()
os.chdir(folder)
os.rmdir(folder)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
