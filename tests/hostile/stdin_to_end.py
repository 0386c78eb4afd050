# expects: passed: checks pass
# It reads its standard input to the end.
# in diagnose: timed_out: did not end in time
import os
import sys

import jax.numpy as jnp

sys.stdin.read()
while os.read(0, 100):
    pass


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
