# expects: check traces-once
# says: Your function is traced again for each new value of `s`, although its answers are right. A
#     value that is only computed with can be an input of one program, compiled once.
"""Binds each value of s, and compiles the result."""

from functools import partial

import jax


def scaled(s, x):
    return x.mean() + s * (x - x.mean())


def make_scaled():
    return lambda x, s: jax.jit(partial(scaled, s))(x)
