# expects: check function
"""Forgets to return the compiled function."""

import jax


def compile_once(f):
    g = jax.jit(f)
