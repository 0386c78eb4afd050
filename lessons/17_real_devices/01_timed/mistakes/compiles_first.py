# expects: check values
# says: Your first result is not that of the first call, which traces and compiles: it was made
#     before the clock started.
"""Compiles f before it is called."""

import time

import jax


def timed(f, *args):
    args = jax.block_until_ready(args)
    g = jax.jit(f).lower(*args).compile()
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(g(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
