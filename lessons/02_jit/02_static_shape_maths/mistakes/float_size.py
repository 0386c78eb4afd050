# expects: check jaxpr
"""Divides with /, which makes a float of the size."""


def merge_leading(x):
    return x.reshape(x.size / x.shape[-1], x.shape[-1])
