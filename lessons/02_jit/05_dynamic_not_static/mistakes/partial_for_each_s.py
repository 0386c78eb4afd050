# expects: check traces-once
"""Binds each value of s, and compiles what comes out."""

from functools import partial

import jax


def scaled(s, x):
    return x.mean() + s * (x - x.mean())


def make_scaled():
    return lambda x, s: jax.jit(partial(scaled, s))(x)
