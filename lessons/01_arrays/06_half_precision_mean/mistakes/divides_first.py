# expects: check values
# says: Your answer is 0 for very many elements: their number does not fit into 16 bits and becomes
#     infinite there, and anything finite divided by infinity is 0.
"""Divides first; in 16 bits, the number of elements is infinite."""


def mean_f16(x):
    return (x / x.size).sum()
