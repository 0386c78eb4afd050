# expects: check values
"""Adds up the columns, which need no reshard."""


def replicated_sum_rows(x):
    return x.sum(axis=0)
