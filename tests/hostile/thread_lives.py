# expects: passed: checks pass
# A thread of it never ends.
# not in json: the end of a script whose output is captured is not waited for
# in diagnose: timed_out: did not end in time
import threading
import time

import jax.numpy as jnp

threading.Thread(target=time.sleep, args=(10**6,)).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
