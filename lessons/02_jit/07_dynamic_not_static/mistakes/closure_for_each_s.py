# expects: check traces-once
# says: Your function is traced again for each new value of `s`, although its answers are right. A
#     value that is only computed with can be an input of one program, compiled once.
"""Builds a function around each value of s."""

import jax


def make_scaled():
    def g(x, s):
        def scaled(x):
            return x.mean() + s * (x - x.mean())

        return jax.jit(scaled)(x)

    return g
