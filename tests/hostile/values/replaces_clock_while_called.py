# expects: raised: TypeError
# Has every clock give text from the first call on.
import jax.numpy as jnp
import time


def safe_clip_positive(x):
    time.time = time.monotonic = time.perf_counter = lambda: 'noon'
    return jnp.where(x < 0, 0, x)
