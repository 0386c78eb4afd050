# expects: passed: checks pass
# A thread of it loops for ever in XLA, while it answers rightly.
# not in json: the end of a script whose output is captured is not waited for
# in diagnose: timed_out: did not end in time
import threading

import jax
import jax.numpy as jnp


def spin():
    jax.lax.while_loop(lambda x: x >= 0, lambda x: x * 0, 0).block_until_ready()


threading.Thread(target=spin).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
