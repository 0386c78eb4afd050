# expects: passed: checks pass
# A hook of its end never ends.
# not in json: the end of a script whose output is captured is not waited for
# in diagnose: timed_out: did not end in time
import atexit
import time

import jax.numpy as jnp

atexit.register(time.sleep, 10**6)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
