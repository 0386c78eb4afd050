# expects: check one-trace
# says: Your function traces `f` more than once: numbers of another kind reach the compiled
#     function as they came, or something new is compiled, or nothing is. All kinds must have
#     one type before the call.
"""Turns integers into floats, and leaves the mark as it was."""

import jax


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(x * 1.0)
