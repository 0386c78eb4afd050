"""Short numbers stay short: half of each element."""


def halve(x):
    """Return half of each element of x, in the dtype of x."""
    # A plain 0.5 takes on the dtype of x.
    return x * 0.5
