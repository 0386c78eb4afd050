# expects: check traces-once
# says: Your function is traced again at every call, although the answers are right. What was
#     compiled must still be there at the next call.
"""Discards all compiled programs at every call."""

import jax


def compile_once(f):
    fast = jax.jit(f)

    def g(x):
        jax.clear_caches()
        return fast(x)

    return g
