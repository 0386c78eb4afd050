# expects: check primitive
"""Goes forty rounds, whatever the error is."""


def newton_sqrt(x, tol):
    y = x
    for _ in range(40):
        y = (y + x / y) / 2
    return y
