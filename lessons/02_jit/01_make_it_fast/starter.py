"""Make it fast: a function in, the compiled function out."""

import jax


def compile_once(f):
    """Return a compiled f, which is traced once for each shape."""
    # TODO: this returns f as it is. Its answers are right, but nothing is compiled.
    return f
