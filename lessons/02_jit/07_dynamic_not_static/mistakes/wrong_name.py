# expects: wrong-static-argnums at 9
"""Names a parameter that g does not have."""

from functools import partial

import jax

def make_scaled():
    @partial(jax.jit, static_argnames="scale")
    def g(x, s):
        return x.mean() + s * (x - x.mean())

    return g
