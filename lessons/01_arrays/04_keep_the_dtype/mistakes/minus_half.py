# expects: check values
# says: Your answer is NaN where `x` is infinite: infinity minus infinity is not a number. Halve
#     without taking anything away.
"""Takes half of it away."""


def halve(x):
    return x - x * 0.5
