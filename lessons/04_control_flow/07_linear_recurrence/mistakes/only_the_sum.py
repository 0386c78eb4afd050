# expects: check values
# says: Your answer adds up `b` and ignores `a`. What the left stretch leaves behind is multiplied
#     in the right one.
"""Combines the summands without the factor."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        return left[0] * right[0], left[1] + right[1]

    return lax.associative_scan(combine, (a, b))[1]
