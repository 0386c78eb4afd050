# expects: associative-scan-over-parts at 8
"""Uses all of a, where parts of b are combined."""

from jax import lax


def recur(a, b):
    return lax.associative_scan(lambda left, right: a * left + right, b)
