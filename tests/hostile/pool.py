# expects: timed_out|raised|crashed|passed: 
# It starts a pool of processes while it is imported, without the guard that this needs.
import multiprocessing

import jax.numpy as jnp

pool = multiprocessing.get_context("spawn").Pool(2)
pool.map(abs, range(4))


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
