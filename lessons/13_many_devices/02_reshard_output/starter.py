"""Say how the result shall lie: the sum of each row, on every device."""


def replicated_sum_rows(x):
    """Return the sum of each row of x, whole on every device of x's mesh."""
    # TODO: this lies where the rows lie.
    return x.sum(axis=1)
