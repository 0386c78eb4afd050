"""Loop until it is good enough: a square root by Newton's method."""


def newton_sqrt(x, tol):
    """Return y with abs(y * y - x) at most tol * x."""
    y = x
    # TODO: while needs a boolean before the values are known.
    while abs(y * y - x) > tol * x:
        y = (y + x / y) / 2
    return y
