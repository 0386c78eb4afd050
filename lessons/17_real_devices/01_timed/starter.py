"""What a call costs: the first, and those that follow."""

import time


def timed(f, *args):
    """Return the seconds of the first call f(*args), and of the shortest of five later ones."""
    # TODO: this measures how long it takes to start the work.
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        f(*args)
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
