# expects: passed: checks pass
# A hook of its end prints, and ends the process with a status of its own.
# in diagnose: clean|found|crashed: 
import atexit
import os

import jax.numpy as jnp

atexit.register(os._exit, 7)
atexit.register(print, "the end")


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
