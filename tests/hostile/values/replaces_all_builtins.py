# expects: failed: replaces `builtins
# Empties the builtins.
import jax.numpy as jnp
import builtins

vars(builtins).clear()


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
