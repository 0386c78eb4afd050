# expects: check values
# says: Your answer is the sum of each column. The rows are what is summed, one number for each.
"""Adds up the columns, which need no reshard."""


def replicated_sum_rows(x):
    return x.sum(axis=0)
