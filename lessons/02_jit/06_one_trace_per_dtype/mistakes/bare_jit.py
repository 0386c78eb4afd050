# expects: check one-trace
"""Compiles, and converts nothing."""

import jax


def stable(f):
    return jax.jit(f)
