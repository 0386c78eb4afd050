# expects: check traces-once
# says: Your function is traced again at every call, although the answers are right. What was
#     compiled must still be there at the next call.
"""Compiles a new partial at every call."""

import functools

import jax


def compile_once(f):
    return lambda x: jax.jit(functools.partial(f))(x)
