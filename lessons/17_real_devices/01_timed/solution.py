"""What a call costs: the first, and those that follow."""

import time

import jax


def timed(f, *args):
    """Return the seconds of the first call f(*args), and of the shortest of five later ones."""
    args = jax.block_until_ready(args)  # computing them is not the work of f
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))  # JAX has returned long before the numbers arrive
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
