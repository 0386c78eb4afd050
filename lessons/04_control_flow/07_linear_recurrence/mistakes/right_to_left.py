# expects: check values
# says: Your answer takes the later stretch for the earlier one. `combine` gets the earlier
#     stretch as its first argument.
"""Mistakes the later stretch for the earlier one."""

from jax import lax


def recur(a, b):
    def combine(right, left):
        a_left, b_left = left
        a_right, b_right = right
        return a_left * a_right, a_right * b_left + b_right

    return lax.associative_scan(combine, (a, b))[1]
