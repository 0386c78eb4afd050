# expects: passed|timed_out: 
# It traces and profiles every call there is, and makes each slow.
import sys
import time

import jax.numpy as jnp


def profiler(frame, event, arg):
    time.sleep(0.00001)


sys.setprofile(profiler)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
