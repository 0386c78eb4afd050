# expects: check values
# says: Your second result can be the first call, if that happens to be the shortest. It is the
#     shortest of the five later ones.
"""Takes the shortest of all six calls."""

import time

import jax


def timed(f, *args):
    args = jax.block_until_ready(args)
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds)
