# expects: check kept
"""A loop of known length: right, and every round of it is kept."""

import jax


def fixed_point(f, a, y0):
    return jax.lax.scan(lambda y, _: (f(a, y), None), y0, length=1000)[0]
