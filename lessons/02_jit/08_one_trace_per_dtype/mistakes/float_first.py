# expects: float-on-tracer at 10
"""Converts to a Python float, which is impossible for a tracer."""

import jax

def stable(f):
    compiled = jax.jit(f)

    def g(x):
        return compiled(float(x))

    return g
