# expects: passed: checks pass
# It turns the collector off, freezes it, and raises in its callbacks.
import gc

import jax.numpy as jnp


def call(phase, info):
    raise RuntimeError(phase)


gc.callbacks.append(call)
gc.collect()
gc.freeze()
gc.disable()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
