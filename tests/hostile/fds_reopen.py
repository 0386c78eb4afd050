# expects: passed: checks pass
# It puts a file of its own in the place of its standard output.
import os

import jax.numpy as jnp

fd = os.open(os.devnull, os.O_WRONLY)
os.dup2(fd, 1)
os.dup2(fd, 2)
print("to nobody")


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
