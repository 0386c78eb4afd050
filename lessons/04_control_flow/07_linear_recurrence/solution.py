"""A recurrence in parallel: h[t] = a[t] * h[t - 1] + b[t]."""

from jax import lax


def recur(a, b):
    """Return all h, for h = 0 before the first step."""

    def combine(left, right):
        a_left, b_left = left
        a_right, b_right = right
        # a_right * (a_left * h + b_left) + b_right, multiplied out.
        return a_left * a_right, a_right * b_left + b_right

    _, h = lax.associative_scan(combine, (a, b))
    return h
