# expects: check primitive
# says: Your values are right, but the loop ran in Python, a fixed number of times. The number of
#     rounds should depend on the error.
"""Goes forty rounds, whatever the error is."""


def newton_sqrt(x, tol):
    y = x
    for _ in range(40):
        y = (y + x / y) / 2
    return y
