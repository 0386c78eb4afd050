# expects: check jaxpr
# says: Your size is a float, and `reshape` accepts integers only. Which operator gave it?
"""Divides with /, which gives a float."""


def merge_leading(x):
    return x.reshape(x.size / x.shape[-1], x.shape[-1])
