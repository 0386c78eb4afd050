# expects: check ready-arguments
# says: Your first result includes the time in which the arguments are still being computed.
#     That is the work of another function.
"""Does not wait for the arguments."""

import time

import jax


def timed(f, *args):
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
