# expects: check values
# says: Your answer is a pair: the products of the factors, and `h`. Only `h` should be returned.
"""Returns the pair."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(combine, (a, b))
