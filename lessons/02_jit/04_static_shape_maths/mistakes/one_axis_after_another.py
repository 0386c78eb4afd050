# expects: check values
# says: Your function finds the size by dividing by the last size, which may be 0. Multiply the
#     other sizes instead.
"""Joins two axes at a time, and lets reshape work out the size."""


def merge_leading(x):
    while x.ndim > 2:
        x = x.reshape((-1,) + x.shape[2:])
    return x
