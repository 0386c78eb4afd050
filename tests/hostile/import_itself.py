# expects: passed: checks pass
# It runs the tutor, on itself, and does not wait for it.
import subprocess
import sys

import jax.numpy as jnp

if __name__ != "__main__":
    subprocess.Popen([sys.executable, "-m", "jaxtutor", "diagnose", __file__], start_new_session=True)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
