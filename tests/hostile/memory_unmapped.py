# expects: timed_out|crashed|raised: 
# or: failed: memory
# It fills files in memory, which no process maps, with five gigabytes.
# not in diagnose: a learner's own program has no memory limit
import os

import jax.numpy as jnp

files = [os.memfd_create("m") for _ in range(80)]
for file in files:
    for _ in range(64):
        os.write(file, bytes(1 << 20))


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
