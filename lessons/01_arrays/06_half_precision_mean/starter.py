"""Add up wide, answer narrow: a mean in 16 bits."""


def mean_f16(x):
    """Return the mean of all elements of x, in the dtype of x."""
    # TODO: a sum of many numbers does not fit into 16 bits.
    return x.sum() / x.size
