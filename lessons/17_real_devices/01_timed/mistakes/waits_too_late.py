# expects: check waits
# says: Your clock stops when the work has been dispatched. The numbers are computed later, and
#     nothing in your measurement waits for them.
"""Waits after the clock has been read."""

import time

import jax


def timed(f, *args):
    args = jax.block_until_ready(args)
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        answer = f(*args)
        seconds.append(time.perf_counter() - start)
        jax.block_until_ready(answer)
    return seconds[0], min(seconds[1:])
