# expects: check one-trace
# says: Your function traces `f` more than once: numbers of another kind reach the compiled
#     function as they came, or something new is compiled, or nothing is. All kinds must have
#     one type before the call.
"""Compiles, and converts nothing."""

import jax


def stable(f):
    return jax.jit(f)
