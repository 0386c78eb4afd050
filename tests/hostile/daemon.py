# expects: passed: checks pass
# It leaves a process in a session of its own that has no parent, and answers rightly.
# in diagnose: clean|found: 
# not in repl: what is started at the prompt lives as long as the prompt does
import os
import time

import jax.numpy as jnp

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
