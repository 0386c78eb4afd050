# expects: failed: replaces `builtins.__import__
# Puts a function that raises in the place of __import__.
import jax.numpy as jnp
import builtins


def refuse(*_, **__):
    raise ImportError('imports are closed today')


builtins.__import__ = refuse


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
