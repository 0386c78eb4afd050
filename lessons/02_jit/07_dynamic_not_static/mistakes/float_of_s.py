# expects: float-on-tracer at 10
"""Converts s to a Python number, to be sure."""

import jax


def make_scaled():
    @jax.jit
    def g(x, s):
        s = float(s)
        return x.mean() + s * (x - x.mean())

    return g
