# expects: failed: replaces
# Has linecache and inspect raise.
import jax.numpy as jnp
import inspect
import linecache

linecache.cache.clear()
linecache.getline = linecache.getlines = inspect.signature = None


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
