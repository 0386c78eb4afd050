# expects: check traces-once
"""Throws all compiled programs away at every call."""

import jax


def compile_once(f):
    fast = jax.jit(f)

    def g(x):
        jax.clear_caches()
        return fast(x)

    return g
