# expects: check no-power
"""Uses the operator that was ruled out."""


def power(x, n, max_n):
    return x**n
