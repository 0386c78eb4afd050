# expects: check values
"""Multiplies an array as if it were a list."""


def jit_with_static_n(x, n):
    return x * int(n)
