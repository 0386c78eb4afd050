# expects: failed: replaces `time.
# Has every clock give text.
import jax.numpy as jnp
import time

time.time = time.monotonic = time.perf_counter = lambda: 'noon'


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
