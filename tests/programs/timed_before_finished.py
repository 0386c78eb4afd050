# expects: timed-before-finished at 24
import time

import jax
import jax.numpy as jnp


def solve(matrix, vector):
    return jnp.linalg.solve(matrix, vector)


fast = jax.jit(solve)


def mean_time(function, *args):
    """Return the time that a call takes, in milliseconds."""
    function(*args)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        function(*args)
        end = time.perf_counter()
        times.append(
            end - start
        )
    return 1e3 * sum(times) / len(times)


matrix, vector = jnp.eye(200), jnp.ones(200)
print(mean_time(solve, matrix, vector) > 0)
print(mean_time(fast, matrix, vector) > 0)
