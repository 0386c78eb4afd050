# expects: passed: checks pass
# Has a name and a module that are no text.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)


safe_clip_positive.__module__ = 7
safe_clip_positive.__qualname__ = '\x1b[2J'
