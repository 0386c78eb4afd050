# expects: passed: checks pass
# It writes thousands of files into a temporary folder, and takes them away.
import tempfile
from pathlib import Path

import jax.numpy as jnp

with tempfile.TemporaryDirectory() as folder:
    for n in range(3000):
        (Path(folder) / str(n)).write_text("x")


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
