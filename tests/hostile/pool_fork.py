# expects: passed: checks pass
# It starts a pool of forked processes and never closes it.
import multiprocessing

import jax.numpy as jnp

pool = multiprocessing.get_context("fork").Pool(2)
pool.map(abs, range(4))


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
