# expects: check one-trace
"""Makes floats of integers, and leaves the mark as it was."""

import jax


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(x * 1.0)
