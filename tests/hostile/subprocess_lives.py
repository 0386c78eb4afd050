# expects: passed: checks pass
# It starts a program and does not wait for it.
import subprocess

import jax.numpy as jnp

subprocess.Popen(["sleep", "1000"])


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
