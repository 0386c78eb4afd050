# expects: passed|timed_out: 
# Its children have children of their own, two hundred in all, and none of them ends.
import os
import time

import jax.numpy as jnp


def breed(depth, width):
    for _ in range(width):
        if os.fork() == 0:
            if depth:
                breed(depth - 1, width)
            time.sleep(1000)
            os._exit(0)


breed(2, 5)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
