"""Say where the result should live: the sum of each row, on every device."""


def replicated_sum_rows(x):
    """Return the sum of each row of x, whole on every device of x's mesh."""
    # TODO: this is cut as the rows are.
    return x.sum(axis=1)
