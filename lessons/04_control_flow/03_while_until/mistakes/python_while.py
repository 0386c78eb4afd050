# expects: traced-bool-in-while at 7
"""Loops in Python."""


def newton_sqrt(x, tol):
    y = x
    while abs(y * y - x) > tol * x:
        y = (y + x / y) / 2
    return y
