# expects: failed: replaces `jax.jit
# Has jax.jit give the function back as it is.
import jax.numpy as jnp
import jax

jax.jit = lambda function, **_: function


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
