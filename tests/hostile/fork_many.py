# expects: passed|timed_out: 
# It leaves a hundred daemons in sessions of their own.
import os
import time

import jax.numpy as jnp

for _ in range(100):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
    os.wait()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
