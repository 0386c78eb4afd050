# expects: check jaxpr
# says: Your function asks for `x` as one Python number. `x` is an array of any shape, and it has
#     no values while it is traced.
"""Turns x into a Python number."""


def halve(x):
    return float(x) / 2
