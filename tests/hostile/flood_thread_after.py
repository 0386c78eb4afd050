# expects: passed: checks pass
# A thread of it prints for ever, while it answers rightly.
# not in json: the end of a script whose output is captured is not waited for
# not in repl: what a cell leaves printing prints beside the next cell, too
# in diagnose: timed_out: did not end in time
import threading

import jax.numpy as jnp


def talk():
    while True:
        print("still here " * 20)


threading.Thread(target=talk).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
