# expects: check values
# says: Your second result is longer than the shortest of the later calls. Whatever else the
#     machine did in the meantime is in it.
"""Takes the mean of the later calls."""

import time

import jax


def timed(f, *args):
    args = jax.block_until_ready(args)
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], sum(seconds[1:]) / 5
