# expects: check traces-once
# says: Your function is traced again at every call, although the answers are right. What was
#     compiled must still be there at the next call.
"""Compiles f and returns the original."""

import jax


def compile_once(f):
    jax.jit(f)
    return f
