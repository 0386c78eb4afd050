# expects: failed: replaces `builtins.isinstance
# Has isinstance say yes to everything.
import jax.numpy as jnp
import builtins

builtins.isinstance = lambda *_: True


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
