# expects: check waits
# says: Your clock stops when the work has been dispatched. The numbers are computed later, and
#     nothing in your measurement waits for them.
"""Measures how long dispatching takes."""

import time


def timed(f, *args):
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        f(*args)
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
