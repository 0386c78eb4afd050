# expects: check values
# says: Your numbers are not in seconds.
"""Returns milliseconds."""

import time

import jax


def timed(f, *args):
    args = jax.block_until_ready(args)
    ms = []
    for _ in range(6):
        start = time.perf_counter_ns()
        jax.block_until_ready(f(*args))
        ms.append((time.perf_counter_ns() - start) / 1e6)
    return ms[0], min(ms[1:])
