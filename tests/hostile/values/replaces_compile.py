# expects: failed: replaces `builtins.compile
# Puts None in the place of compile.
import jax.numpy as jnp
import builtins

builtins.compile = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
