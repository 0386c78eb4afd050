# expects: passed: checks hold
# It starts threads until it has five hundred.
# in diagnose: timed_out: did not end in time
import threading
import time

import jax.numpy as jnp

for _ in range(500):
    threading.Thread(target=time.sleep, args=(10**6,)).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
