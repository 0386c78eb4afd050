# expects: check values
# says: Your answer multiplies by the factor of the left stretch. What the left stretch leaves
#     behind goes through the right stretch: which factor does it meet there?
"""Multiplies the right stretch by the left factor; right for a constant a."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        a_left, b_left = left
        a_right, b_right = right
        return a_left * a_right, a_left * b_left + b_right

    return lax.associative_scan(combine, (a, b))[1]
