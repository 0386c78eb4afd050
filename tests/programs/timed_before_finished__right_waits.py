# expects: nothing
import time

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def power(matrix):
    return matrix @ matrix @ matrix


def timed(function, matrix):
    """Return the time that a call takes, and the time until it returns."""
    start = time.perf_counter()
    result = function(matrix)
    returned = time.perf_counter() - start
    jax.block_until_ready(result)
    return time.perf_counter() - start, returned


def timed_on_the_host(function, matrix):
    """Return the time that a call and the copy of its result take."""
    start = time.perf_counter()
    result = np.sum(function(matrix))
    return time.perf_counter() - start, result


matrix = jnp.eye(64)
start = time.perf_counter()
power(matrix)
print("with the compilation:", time.perf_counter() - start > 0)
for function in (timed, timed_on_the_host):
    print(function(power, matrix)[0] > 0)
began = time.time()
state = matrix
for step in range(5):
    state = power(state)
print(float(state[0, 0]), time.time() - began > 0)
