# expects: failed: replaces `builtins.len
# Puts None in the place of len.
import jax.numpy as jnp
import builtins

builtins.len = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
