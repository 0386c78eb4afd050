# expects: passed: checks pass
# A daemon thread of it spins for ever.
import threading

import jax.numpy as jnp


def spin():
    while True:
        pass


threading.Thread(target=spin, daemon=True).start()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
