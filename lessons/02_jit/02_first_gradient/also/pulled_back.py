"""One level lower: `jax.vjp` returns the function that pulls a slope back."""

import jax


def uphill(height, place):
    value, pull = jax.vjp(height, place)
    (slope,) = pull(value * 0 + 1)
    return slope
