"""Make it fast: a function in, the compiled function out."""

import jax


def compile_once(f):
    """Return a compiled f, which is traced once for each shape."""
    # Nothing is traced here: that happens at the first call, which brings a shape and a dtype.
    return jax.jit(f)
