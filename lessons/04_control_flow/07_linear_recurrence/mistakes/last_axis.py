# expects: check values
# says: Your answer is right for a single axis only. Time runs along the first axis, not along the
#     last.
"""Runs along the last axis."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(combine, (a, b), axis=-1)[1]
