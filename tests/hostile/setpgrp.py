# expects: passed: checks pass
# It goes into a process group of its own, and starts a program there.
import os
import subprocess

import jax.numpy as jnp

try:
    os.setpgid(0, 0)
except OSError:
    pass
subprocess.Popen(["sleep", "1000"], process_group=0)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
