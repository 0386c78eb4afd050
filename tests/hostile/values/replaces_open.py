# expects: failed: replaces `builtins.open
# Takes away open.
import jax.numpy as jnp
import builtins

builtins.open = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
