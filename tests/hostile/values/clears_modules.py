# expects: failed: replaces `sys.modules
# Empties the modules.
import jax.numpy as jnp
import sys

sys.modules.clear()


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
