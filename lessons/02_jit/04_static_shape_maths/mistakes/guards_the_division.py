# expects: check values
# says: Your answer has no rows when the last axis is empty. The number of rows is the product of
#     the other sizes, and cannot be found from the number of elements.
"""Divides by 1 where it would divide by 0."""


def merge_leading(x):
    return x.reshape(x.size // max(x.shape[-1], 1), x.shape[-1])
