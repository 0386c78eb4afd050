# expects: check jaxpr
"""Makes a Python number of x."""


def halve(x):
    return float(x) / 2
