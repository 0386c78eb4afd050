# expects: check values
# says: Your first result is not that of the first call, which traces and compiles: it was made
#     before the clock started.
"""Makes the first call without a clock."""

import time

import jax


def timed(f, *args):
    jax.block_until_ready(f(*args))
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
