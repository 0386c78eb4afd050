# expects: check slow
"""A fixed number of rounds, enough for the examples."""

import jax


def fixed_point(f, a, y0):
    return jax.lax.fori_loop(0, 40, lambda _, y: f(a, y), y0)
