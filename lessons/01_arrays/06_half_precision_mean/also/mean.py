"""Lets the library do it."""


def mean_f16(x):
    return x.mean()
