# expects: passed: checks pass
# Empties the environment and goes to a folder that is gone.
import jax.numpy as jnp
import os
import tempfile

os.environ.clear()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
