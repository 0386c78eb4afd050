# expects: check traces-once
"""Builds a function around each value of s."""

import jax


def make_scaled():
    def g(x, s):
        def scaled(x):
            return x.mean() + s * (x - x.mean())

        return jax.jit(scaled)(x)

    return g
