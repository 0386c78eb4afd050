# expects: float-as-size at 6
"""Divides with /, which gives a float."""


def merge_leading(x):
    return x.reshape(x.size / x.shape[-1], x.shape[-1])
