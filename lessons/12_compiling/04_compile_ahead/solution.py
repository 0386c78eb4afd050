"""Compile before the first call: programs from shapes alone."""

import jax


def compile_for(f, spec):
    """Return f compiled for arguments like those in spec, and its flops."""
    compiled = jax.jit(f).lower(*spec).compile()  # trace, lower, compile
    return compiled, compiled.cost_analysis().get("flops", 0.0)
