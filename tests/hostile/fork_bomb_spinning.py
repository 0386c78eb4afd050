# expects: timed_out|raised: 
# Each process forks as fast as it can and none ends, up to four hundred.
# in diagnose: timed_out|raised: 
import os

import jax.numpy as jnp

count = os.memfd_create("count")
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            os.write(count, b"x")
    except OSError:
        pass
    while os.fstat(count).st_size > 400:
        pass


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
