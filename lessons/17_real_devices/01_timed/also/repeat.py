"""Lets timeit repeat the call."""

import timeit

import jax


def timed(f, *args):
    jax.block_until_ready(args)
    first, *later = timeit.repeat(lambda: jax.block_until_ready(f(*args)), number=1, repeat=6)
    return first, min(later)
