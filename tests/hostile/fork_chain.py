# expects: passed: checks pass
# A process of it runs from pid to pid: each forks its successor and ends, for a while.
import os
import time

import jax.numpy as jnp

if os.fork() == 0:
    os.setsid()
    end = time.monotonic() + 8
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
        time.sleep(0.001)
    time.sleep(1000)
    os._exit(0)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
