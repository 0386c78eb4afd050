# expects: check values
# says: Your measurement asks the answer itself to wait. A dict, a number or None has no such
#     method, and `f` may return any of them.
"""Expects that every answer is one array."""

import time


def timed(f, *args):
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        answer = f(*args)
        answer.block_until_ready()
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
