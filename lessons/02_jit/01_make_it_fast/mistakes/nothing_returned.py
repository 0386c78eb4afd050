# expects: check function
# says: Your `compile_once` returns nothing. The compiled function must reach the caller.
"""Forgets to return the compiled function."""

import jax


def compile_once(f):
    g = jax.jit(f)
