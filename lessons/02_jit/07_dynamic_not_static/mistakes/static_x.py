# expects: unhashable-static at 12
"""Makes the array static instead of the number."""

import jax


def scaled(x, s):
    return x.mean() + s * (x - x.mean())

def make_scaled():
    # x is argument 0
    return jax.jit(scaled, static_argnums=0)
