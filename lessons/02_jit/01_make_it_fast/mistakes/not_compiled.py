# expects: check traces-once
"""Compiles f and returns the plain one."""

import jax


def compile_once(f):
    jax.jit(f)
    return f
