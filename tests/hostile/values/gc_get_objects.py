# expects: failed: replaces `gc.
# Puts None in the place of the collector's functions.
import jax.numpy as jnp
import gc

gc.get_objects = gc.get_referrers = gc.collect = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
