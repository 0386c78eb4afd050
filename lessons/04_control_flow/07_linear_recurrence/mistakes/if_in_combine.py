# expects: traced-bool-in-if at 9
"""Uses Python's `if` on stretches, which come as arrays."""

from jax import lax


def recur(a, b):
    def combine(left, right):
        if right[0] == 0:
            return right
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(combine, (a, b))[1]
