# expects: passed: checks pass
# It leaves a daemon with an empty environment.
import subprocess

import jax.numpy as jnp

subprocess.run(["sh", "-c", "setsid env -i sleep 1000 >/dev/null 2>&1 &"], check=True)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
