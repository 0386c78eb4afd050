# expects: check primitive
"""Leaves it to the compiler."""


def pallas_add(x, y):
    return x + y
