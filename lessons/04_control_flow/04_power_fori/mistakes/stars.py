# expects: check no-power
# says: Your values are right, but they come from a power function. Build the power from
#     multiplications in a loop.
"""Uses the operator that was ruled out."""


def power(x, n, max_n):
    return x**n
