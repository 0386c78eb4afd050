# expects: check values
# says: Your answer runs from the end to the beginning. The first `h` should be `b[0]`.
"""Goes from the end to the beginning."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(combine, (a, b), reverse=True)[1]
