# expects: check values
# says: Your answer is the running product of `a`: the first of the two results of the scan. The
#     `h` are in the second.
"""Returns the products of the factors."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(combine, (a, b))[0]
