# expects: failed: replaces `os.write
# Has os.write write nothing and say all is well.
import jax.numpy as jnp
import os

os.write = lambda descriptor, data: len(data)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
