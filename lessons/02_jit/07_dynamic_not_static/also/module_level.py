"""Compiles at the top of the file: every call of make_scaled returns the same function."""

import jax


@jax.jit
def contrast(x, s):
    middle = x.sum() / x.size
    return middle + (x - middle) * s


def make_scaled():
    return contrast
