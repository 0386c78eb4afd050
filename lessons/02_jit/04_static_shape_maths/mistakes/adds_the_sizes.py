# expects: check jaxpr
# says: Your number of rows does not fit the number of elements. Joining axes multiplies their
#     sizes.
"""Adds the sizes instead of multiplying them."""


def merge_leading(x):
    return x.reshape(sum(x.shape[:-1]), x.shape[-1])
