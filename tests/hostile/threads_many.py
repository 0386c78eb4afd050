# expects: passed|raised: 
# It starts threads until it has five hundred.
# not in json: the end of a script whose output is captured is not waited for
# in diagnose: timed_out|raised: 
import threading
import time

import jax.numpy as jnp

for _ in range(500):
    threading.Thread(target=time.sleep, args=(10**6,)).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
