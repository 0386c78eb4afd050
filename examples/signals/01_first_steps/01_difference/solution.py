"""From one moment to the next."""


def difference(x):
    """Return how much each number of a row differs from the one before."""
    return x[1:] - x[:-1]  # at each place: a number and the one before it
