# expects: passed: checks hold
# It reads its standard input to the end.
import os
import sys

import jax.numpy as jnp

sys.stdin.read()
while os.read(0, 100):
    pass


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
