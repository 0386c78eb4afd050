# expects: traced-early-return at 9
"""Loops a fixed number of times, and breaks off."""


def newton_sqrt(x, tol):
    y = x
    for _ in range(50):
        y = (y + x / y) / 2
        if abs(y * y - x) <= tol * x:
            break
    return y
