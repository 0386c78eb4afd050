# expects: failed: replaces `builtins.print
# Puts a function that raises in the place of print.
import jax.numpy as jnp
import builtins


def shout(*words):
    raise OSError('no more paper')


builtins.print = shout


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
