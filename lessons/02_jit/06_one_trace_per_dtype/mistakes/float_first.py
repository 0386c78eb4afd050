# expects: float-on-tracer at 10
"""Makes a Python float of it, which a tracer cannot become."""

import jax

def stable(f):
    compiled = jax.jit(f)

    def g(x):
        return compiled(float(x))

    return g
