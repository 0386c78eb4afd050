"""From one moment to the next."""


def difference(x):
    """Return how much each number of a row differs from the one before."""
    # TODO: this is as long as x, and no difference.
    return x
