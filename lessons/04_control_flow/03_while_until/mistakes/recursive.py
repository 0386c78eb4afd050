# expects: traced-bool-in-recursion at 6
"""Calls itself until it is good enough."""


def improve(y, x, tol):
    if abs(y * y - x) <= tol * x:
        return y
    return improve((y + x / y) / 2, x, tol)


def newton_sqrt(x, tol):
    return improve(x, x, tol)
